import { describe, expect, it } from "vitest";
import { cleanMessage } from "./clean-message.ts";
import { cleanName } from "./clean-name.ts";
import { cleanPath } from "./clean-path.ts";
import { foldRecursion } from "./fold-recursion.ts";
import { networkTarget } from "./network-target.ts";

describe("a message", () => {
  it.each([
    ["Cannot read properties of undefined (reading 'map')", "Cannot read properties of undefined (reading 'map')"],
    ["invalid utf8 in a base64 text", "invalid utf8 in a base64 text"],
    ["sha256 is no sha512", "sha256 is no sha512"],
    ["Order 17 of user_42 is 3.5 days late", "Order <number> of user_<number> is <number> days late"],
    ["no answer after 3000ms", "no answer after <number>ms"],
    ["1,000 rows from 10.0.0.1:5432", "<number> rows from <number>:<number>"],
    ["018f3c2e-77aa-7c3d-9f10-0a1b2c3d4e5f is gone", "<id> is gone"],
    ["charge ch_3Nk2Lq8fj2kd9s failed", "charge ch_<id> failed"],
    ["commit 4f3a9c1b2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f70", "commit <id>"],
    ["<Cart object at 0x7f3a9c1b2d40>", "<Cart object at <hex>>"],
    ["mail to ann.lee+shop@mail.acme.test bounced", "mail to <email> bounced"],
    ["see https://acme.test/a/b?c=d#e, then retry", "see <url>, then retry"],
    ["at 2026-11-01T10:00:00.123Z and 2026-11-02", "at <time> and <time>"],
    ["worker3 and h264", "worker3 and h264"],
    ["session12345 ended", "session<number> ended"],
  ])("loses what differs each time: %s", (message, clean) => {
    expect(cleanMessage(message)).toBe(clean);
  });
});

describe("a path", () => {
  it.each([
    ["app/views.py", "app/views.py"],
    ["/static/app.min.js", "/static/app.min.js"],
    ["src/v2/cart.ts", "src/v2/cart.ts"],
    ["lib/user-Settings.js", "lib/user-Settings.js"],
    ["/static/app.4f3a9c1b.js", "/static/app.js"],
    ["/static/js/main.8a7d6f5e.chunk.js", "/static/js/main.chunk.js"],
    ["/assets/index-BkX9d2aQ.js", "/assets/index.js"],
    ["/assets/index-DiwrgTda.js", "/assets/index.js"],
    ["/srv/releases/20261101/cart.rb", "/srv/releases/cart.rb"],
    ["/srv/shop/releases/v1.4.2/cart.rb", "/srv/shop/releases/cart.rb"],
    ["webpack-internal:///(rsc)/./src/cart.tsx", "src/cart.tsx"],
    ["http://localhost:8081/index.bundle?platform=ios&dev=true", "/index.bundle"],
    ["/var/containers/Bundle/Application/5E4F9A1C-7B3D-4C2A-9F10-0A1B2C3D4E5F/Shop.app/main.jsbundle", "Shop.app/main.jsbundle"],
    ["/usr/lib/python3.12/site-packages/django/db/models.py", "site-packages/django/db/models.py"],
    ["/app/node_modules/.pnpm/send@0.18.0/node_modules/send/index.js", "node_modules/send/index.js"],
    ["/go/pkg/mod/github.com/gin-gonic/gin@v1.9.1/context.go", "/go/pkg/mod/github.com/gin-gonic/gin/context.go"],
    ["/usr/lib/ruby/gems/3.3.0/gems/pg-1.5.4/lib/pg.rb", "gems/pg/lib/pg.rb"],
    ["/root/.cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.35.1/src/net.rs", "tokio/src/net.rs"],
    ["/rustc/a28077b28a02b92985b3a3faecf92813155f1ea1/library/std/src/panic.rs", "/rustc/library/std/src/panic.rs"],
    ["address at index.android.bundle1", "index.android.bundle1"],
  ])("loses what is of one release: %s", (path, clean) => {
    expect(cleanPath(path)).toBe(clean);
  });
});

describe("a name", () => {
  it.each([
    ["Cart#checkout2", "Cart#checkout2"],
    ["shop::cart::checkout::h2f6e4cd2a1b0c3d4", "shop::cart::checkout"],
    ["com.acme.Cart$$Lambda$14/0x0000000800c03000", "com.acme.Cart$$Lambda"],
    ["com.acme.Cart$$EnhancerBySpringCGLIB$$4f3a9c1b", "com.acme.Cart$$EnhancerBySpringCGLIB"],
    ["com.acme.Cart$$ExternalSyntheticLambda0", "com.acme.Cart$$ExternalSyntheticLambda"],
    ["lambda$checkout$3", "lambda$checkout"],
    ["jdk.internal.reflect.GeneratedMethodAccessor117", "jdk.internal.reflect.GeneratedMethodAccessor"],
    ["Shop.Cart+<CheckoutAsync>d__5", "Shop.Cart+<CheckoutAsync>d__"],
    ["Shop.Cart+<>c__DisplayClass4_0", "Shop.Cart+<>c__DisplayClass"],
    ["{closure:/srv/releases/20261101/routes.php:15}", "{closure}"],
    ["main.handle(0xc0000b2000, 0x1)", "main.handle"],
    [
      "#00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7",
      "_kDartIsolateSnapshotInstructions+0x1e26d7",
    ],
  ])("loses what is of one build: %s", (name, clean) => {
    expect(cleanName(name)).toBe(clean);
  });
});

describe("the target of the network", () => {
  it.each([
    ["TypeError", "Failed to fetch https://api.acme.test/v1/orders/17?page=2", "api.acme.test/v1/orders/*"],
    ["Error", "getaddrinfo ENOTFOUND db.acme.test", "db.acme.test"],
    [
      "ConnectionError",
      "HTTPSConnectionPool(host='api.acme.test', port=443): Max retries exceeded with url: /v2/carts/8812 (Caused by x)",
      "api.acme.test/v2/carts/*",
    ],
    ["UnknownHostException", 'Unable to resolve host "api.acme.test": No address', "api.acme.test"],
    ["net.OpError", 'Get "https://api.acme.test/": dial tcp: lookup api.acme.test: no such host', "api.acme.test"],
    ["Error", "connect ECONNREFUSED 127.0.0.1:5432", undefined],
    ["TypeError", "Failed to fetch", undefined],
    ["Error", "see https://acme.test/help", undefined],
  ])("of a %s that says %s", (type, message, target) => {
    expect(networkTarget(type, message)).toBe(target);
  });
});

describe("a recursion", () => {
  const fold = (text: string): string => foldRecursion([...text], (letter) => letter).join("");
  it.each([
    ["abc", "abc"],
    ["abbbc", "abc"],
    ["xababaY", "xabY"],
    ["xbabababY", "xabY"],
    ["aabaabaab", "aab"],
    ["abaabaab", "aab"],
    ["abcabcXabcabc", "abcXabc"],
    ["aXa", "aXa"],
  ])("counts once: %s", (frames, folded) => {
    expect(fold(frames)).toBe(folded);
  });
});

it("ends soon with any text: what took the square of its length would take minutes", () => {
  const hostile = [
    "a@",
    "1.1-",
    "a1",
    "{closure:",
    "(0x",
    "a://",
    "@1",
    "-1.1",
    "1a",
    "/gems/1.1-",
    "0x0",
    "lambda$",
    "$$Lambda$1",
    " host ",
    "z1",
  ];
  for (const piece of hostile) {
    const text = piece.repeat(40_000 / piece.length);
    for (const end of ["", "!", "z"]) {
      cleanMessage(text + end);
      networkTarget("HttpError", text + end);
      cleanPath(text.slice(0, 1_999) + end);
      cleanName(text.slice(0, 1_999) + end);
    }
  }
  expect(networkTarget("HttpError", `https://a.test${"/".repeat(400_000)}z`)).toMatch(/^a\.test\/+z$/);
});
