import { type Frame, type Stack, sent, sentChain } from "./stack.ts";

const go = (frames: readonly Frame[], lib = "posthog-go"): Stack["properties"] => ({
  ...sent(lib, "*errors.errorString", "x", frames),
  $lib_version: "1.20.0",
});
const goFrame = (name: string, filename: string, lineno: number, in_app = true): Frame => ({
  platform: "go",
  filename,
  function: name,
  lineno,
  in_app,
  synthetic: false,
});
/** As newer versions send what their own image covers. */
const goNative = (name: string, filename: string, lineno: number, pc: string, image_addr: string): Frame => ({
  ...goFrame(name, filename, lineno),
  platform: "native",
  lang: "go",
  client_resolved: true,
  instruction_addr: pc,
  image_addr,
});
const GIN = "/go/pkg/mod/github.com/gin-gonic/gin";

export const GO_STACKS: readonly Stack[] = [
  {
    told: "a function",
    issue: "checkout",
    properties: go([goFrame("main.main", "/src/main.go", 9), goFrame("shop/cart.Checkout", "/src/cart/cart.go", 30)]),
  },
  {
    told: "other lines",
    issue: "checkout",
    properties: go([goFrame("main.main", "/src/main.go", 11), goFrame("shop/cart.Checkout", "/src/cart/cart.go", 33)]),
  },
  {
    told: "another function",
    issue: "pay",
    properties: go([goFrame("main.main", "/src/main.go", 9), goFrame("shop/cart.Pay", "/src/cart/cart.go", 30)]),
  },
  {
    told: "with the addresses of its image",
    issue: "native",
    properties: go([goNative("shop/cart.Ship", "/src/cart/ship.go", 8, "0x4a41c0", "0x400000")]),
  },
  {
    told: "loaded elsewhere",
    issue: "native",
    properties: go([goNative("shop/cart.Ship", "/src/cart/ship.go", 8, "0x5a41c0", "0x500000")]),
  },
  {
    told: "a module of one version",
    issue: "module",
    before: "module-1",
    properties: go([goFrame("gin.(*Context).Next", `${GIN}@v1.9.1/context.go`, 173, false)]),
  },
  {
    told: "its next version",
    issue: "module",
    before: "module-2",
    properties: go([goFrame("gin.(*Context).Next", `${GIN}@v1.10.0/context.go`, 185, false)]),
  },
];

const rust = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => ({
  ...sent("posthog-rs", type, value, frames),
  $lib_version: "0.20.0",
});
const rustFrame = (name: string | undefined, offset: number, base: number, in_app = true, filename?: string): Frame => ({
  platform: "native",
  lang: "rust",
  in_app,
  synthetic: false,
  client_resolved: name !== undefined,
  instruction_addr: `0x${(base + offset).toString(16)}`,
  image_addr: `0x${base.toString(16)}`,
  ...(name !== undefined && { function: name }),
  ...(filename !== undefined && { filename, lineno: 12 }),
});

export const RUST_STACKS: readonly Stack[] = [
  {
    told: "a panic",
    issue: "panic",
    before: "panic-1",
    properties: rust("panic", "x", rustFrame("shop::cart::checkout::h2f6e4cd2a1b0c3d4", 0x100, 0x5000, true, "src/cart.rs")),
  },
  {
    told: "the next build",
    issue: "panic",
    before: "panic-2",
    properties: rust("panic", "x", rustFrame("shop::cart::checkout::h99aabbccddeeff00", 0x180, 0x9000, true, "src/cart.rs")),
  },
  {
    told: "another function",
    issue: "panic-pay",
    before: "panic-3",
    properties: rust("panic", "x", rustFrame("shop::cart::pay::h2f6e4cd2a1b0c3d4", 0x100, 0x5000, true, "src/cart.rs")),
  },
  { told: "a stripped build", issue: "stripped", properties: rust("panic", "x", rustFrame(undefined, 0x700, 0x5000)) },
  { told: "the same at the next start", issue: "stripped", properties: rust("panic", "x", rustFrame(undefined, 0x700, 0xa000)) },
  { told: "another place of it", issue: "stripped-elsewhere", properties: rust("panic", "x", rustFrame(undefined, 0x900, 0x5000)) },
  {
    told: "a crate of one version",
    issue: "crate",
    before: "crate-1",
    properties: rust(
      "io::Error",
      "x",
      rustFrame(
        "tokio::net::connect",
        1,
        0x5000,
        false,
        "/home/ci/.cargo/registry/src/index.crates.io-6f17d22bba15001f/tokio-1.35.1/src/net.rs",
      ),
    ),
  },
  {
    told: "its next version",
    issue: "crate",
    before: "crate-2",
    properties: rust(
      "io::Error",
      "x",
      rustFrame(
        "tokio::net::connect",
        1,
        0x5000,
        false,
        "/root/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/tokio-1.38.0/src/net.rs",
      ),
    ),
  },
  {
    told: "a name as the platform was called before",
    issue: "alias",
    properties: rust("panic", "x", { platform: "rust", function: "shop::main", filename: "src/main.rs" }),
  },
];

const ruby = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => sent("posthog-ruby", type, value, frames);
const rubyFrame = (name: string, filename: string, lineno: number, in_app = true): Frame => ({
  platform: "ruby",
  filename,
  abs_path: `/srv/shop/${filename}`,
  lineno,
  function: name,
  in_app,
});

export const RUBY_STACKS: readonly Stack[] = [
  {
    told: "a controller",
    issue: "checkout",
    properties: ruby(
      "KeyError",
      "x",
      rubyFrame("call", "rack.rb", 5, false),
      rubyFrame("checkout", "app/controllers/carts_controller.rb", 12),
    ),
  },
  {
    told: "other lines",
    issue: "checkout",
    properties: ruby(
      "KeyError",
      "y",
      rubyFrame("call", "rack.rb", 5, false),
      rubyFrame("checkout", "app/controllers/carts_controller.rb", 19),
    ),
  },
  {
    told: "a block within",
    issue: "block",
    properties: ruby("KeyError", "x", rubyFrame("block (2 levels) in checkout", "app/controllers/carts_controller.rb", 14)),
  },
  { told: "the top level of a file", issue: "top", properties: ruby("LoadError", "x", rubyFrame("<main>", "bin/job", 3)) },
  {
    told: "a file in the folder of its release",
    issue: "release",
    before: "release-1",
    properties: ruby("KeyError", "x", rubyFrame("run", "/srv/shop/releases/20261101/lib/job.rb", 3)),
  },
  {
    told: "the next release",
    issue: "release",
    before: "release-2",
    properties: ruby("KeyError", "x", rubyFrame("run", "/srv/shop/releases/20261108/lib/job.rb", 3)),
  },
  {
    told: "a gem of one version",
    issue: "gem",
    before: "gem-1",
    properties: ruby("PG::Error", "x", rubyFrame("exec", "/usr/lib/ruby/gems/3.3.0/gems/pg-1.5.4/lib/pg.rb", 3, false)),
  },
  {
    told: "its next version",
    issue: "gem",
    before: "gem-2",
    properties: ruby("PG::Error", "x", rubyFrame("exec", "/usr/lib/ruby/gems/3.3.0/gems/pg-1.5.6/lib/pg.rb", 3, false)),
  },
];

const php = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => ({
  ...sent("posthog-php", type, value, frames),
  $lib_version: "4.12.0",
});
const phpFrame = (name: string | undefined, abs_path: string, lineno: number): Frame => ({
  platform: "php",
  filename: abs_path.slice(abs_path.lastIndexOf("/") + 1),
  abs_path,
  lineno,
  in_app: !abs_path.includes("/vendor/"),
  ...(name !== undefined && { function: name }),
});

export const PHP_STACKS: readonly Stack[] = [
  {
    told: "a method",
    issue: "checkout",
    properties: php("RuntimeException", "x", phpFrame(undefined, "/srv/index.php", 3), phpFrame("Cart->checkout", "/srv/Cart.php", 12)),
  },
  {
    told: "other lines",
    issue: "checkout",
    properties: php("RuntimeException", "y", phpFrame(undefined, "/srv/index.php", 4), phpFrame("Cart->checkout", "/srv/Cart.php", 15)),
  },
  {
    told: "another method",
    issue: "pay",
    properties: php("RuntimeException", "x", phpFrame(undefined, "/srv/index.php", 3), phpFrame("Cart->pay", "/srv/Cart.php", 12)),
  },
  { told: "the top level of a file alone", issue: "top", properties: php("ParseError", "x", phpFrame(undefined, "/srv/broken.php", 7)) },
  { told: "of another file", issue: "top-other", properties: php("ParseError", "x", phpFrame(undefined, "/srv/other.php", 7)) },
  {
    told: "a closure, which is called by its place",
    issue: "closure",
    before: "closure-1",
    properties: php(
      "RuntimeException",
      "x",
      phpFrame("{closure:/srv/releases/20261101/routes.php:15}", "/srv/releases/20261101/routes.php", 15),
    ),
  },
  {
    told: "the same in the next release",
    issue: "closure",
    before: "closure-2",
    properties: php(
      "RuntimeException",
      "x",
      phpFrame("{closure:/srv/releases/20261108/routes.php:18}", "/srv/releases/20261108/routes.php", 18),
    ),
  },
  {
    told: "a cause",
    issue: "chain",
    properties: {
      ...sentChain("posthog-php", [
        ["CheckoutException", "x", [phpFrame("Cart->checkout", "/srv/Cart.php", 12)]],
        ["PDOException", "x", [phpFrame("Store->save", "/srv/Store.php", 2)]],
      ]),
      $lib_version: "4.12.0",
    },
  },
];

const dotnet = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] =>
  sent("posthog-dotnet", type, value, frames);
const dotnetFrame = (module: string, name: string, file = "", lineno = 0, colno = 0): Frame => ({
  platform: "custom",
  lang: "dotnet",
  filename: file,
  abs_path: file === "" ? "" : `/src/${file}`,
  function: name,
  module,
  lineno,
  colno,
});

export const DOTNET_STACKS: readonly Stack[] = [
  {
    told: "a method, without the files of its symbols",
    issue: "checkout",
    before: "checkout",
    properties: dotnet("InvalidOperationException", "x", dotnetFrame("Shop.Cart", "Checkout")),
  },
  {
    told: "another method",
    issue: "pay",
    before: "pay",
    properties: dotnet("InvalidOperationException", "x", dotnetFrame("Shop.Cart", "Pay")),
  },
  {
    told: "with its file",
    issue: "file",
    before: "file-12",
    properties: dotnet("KeyNotFoundException", "x", dotnetFrame("Shop.Cart", "Find", "Cart.cs", 12, 9)),
  },
  {
    told: "another line of it",
    issue: "file",
    before: "file-19",
    properties: dotnet("KeyNotFoundException", "x", dotnetFrame("Shop.Cart", "Find", "Cart.cs", 19, 9)),
  },
  {
    told: "an asynchronous method",
    issue: "async",
    before: "async-5",
    properties: dotnet("TimeoutException", "x", dotnetFrame("Shop.Cart+<CheckoutAsync>d__5", "MoveNext")),
  },
  {
    told: "the same after another was added",
    issue: "async",
    before: "async-6",
    properties: dotnet("TimeoutException", "x", dotnetFrame("Shop.Cart+<CheckoutAsync>d__6", "MoveNext")),
  },
  {
    told: "another asynchronous method",
    issue: "async-pay",
    before: "async-pay",
    properties: dotnet("TimeoutException", "x", dotnetFrame("Shop.Cart+<PayAsync>d__5", "MoveNext")),
  },
  {
    told: "a function without a name",
    issue: "closure",
    before: "closure-1",
    properties: dotnet("Exception", "x", dotnetFrame("Shop.Cart+<>c__DisplayClass4_0", "<Total>b__0")),
  },
  {
    told: "the same after another was added",
    issue: "closure",
    before: "closure-2",
    properties: dotnet("Exception", "x", dotnetFrame("Shop.Cart+<>c__DisplayClass5_0", "<Total>b__1")),
  },
];

const elixir = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] =>
  sent("posthog-elixir", type, value, frames);
const elixirFrame = (module: string, name: string, filename: string, lineno: number | null, in_app = true): Frame => ({
  platform: "custom",
  lang: "elixir",
  function: `${module}.${name}`,
  filename,
  lineno,
  module,
  in_app,
  resolved: true,
});

export const ELIXIR_STACKS: readonly Stack[] = [
  {
    told: "a function",
    issue: "checkout",
    properties: elixir(
      "KeyError",
      "key :sku not found",
      elixirFrame("Plug", "call/2", "plug.ex", 3, false),
      elixirFrame("Shop.Cart", "checkout/1", "lib/cart.ex", 9),
    ),
  },
  {
    told: "other lines",
    issue: "checkout",
    properties: elixir(
      "KeyError",
      "key :ean not found",
      elixirFrame("Plug", "call/2", "plug.ex", 3, false),
      elixirFrame("Shop.Cart", "checkout/1", "lib/cart.ex", 14),
    ),
  },
  {
    told: "another number of arguments",
    issue: "checkout-2",
    properties: elixir("KeyError", "x", elixirFrame("Shop.Cart", "checkout/2", "lib/cart.ex", 9)),
  },
  {
    told: "a frame whose line is not known",
    issue: "native",
    properties: elixir("ErlangError", "x", elixirFrame(":erlang", "binary_to_term/1", "", null, false)),
  },
  {
    told: "a frame of the log's own",
    issue: "log",
    properties: elixir("RuntimeError", "x", { ...elixirFrame("Shop.Job", "run/0", "lib/job.ex", 3), synthetic: true }),
  },
  {
    told: "a process that ended",
    issue: "exit",
    before: "exit-1",
    properties: sent("posthog-elixir", "** (exit)", "no process: #PID<0.1234.0>", null),
  },
  {
    told: "another process",
    issue: "exit",
    before: "exit-2",
    properties: sent("posthog-elixir", "** (exit)", "no process: #PID<0.98.0>", null),
  },
];

/** What a program of one's own sends, and what no SDK of today would. */
export const OTHER_STACKS: readonly Stack[] = [
  {
    told: "a platform that nobody has heard of",
    issue: "cobol",
    properties: sent("acme", "ABEND", "x", [{ platform: "cobol", function: "MAIN", filename: "pay.cbl", resolved: true }]),
  },
  {
    told: "a frame without a platform",
    issue: "bare",
    properties: sent("acme", "E", "x", [{ function: "main", filename: "main.c", resolved: true }]),
  },
  {
    told: "a text in a frame's place",
    issue: "text",
    properties: sent("acme", "E", "x", [{ platform: "python", function: "f", filename: "a.py" }, "at f (a.py:1)" as unknown as Frame]),
  },
  { told: "texts alone", issue: "texts-x", before: "texts", properties: sent("acme", "E", "x", ["at f (a.py:1)" as unknown as Frame]) },
  {
    told: "texts alone, with another message",
    issue: "texts-y",
    before: "texts",
    properties: sent("acme", "E", "y", ["at f (a.py:1)" as unknown as Frame]),
  },
  {
    told: "an exception without a type",
    issue: "typeless",
    properties: { $lib: "acme", $exception_list: [{ value: "the disk is full" }] },
  },
  {
    told: "a stack that is none",
    issue: "stackless",
    properties: { $lib: "acme", $exception_list: [{ type: "E", value: "stackless", stacktrace: "main.c:3" }] },
  },
  {
    told: "lines that are none",
    issue: "lines",
    properties: sent("acme", "Lines", "x", [{ platform: "ruby", function: "f", filename: "a.rb", lineno: -7, colno: "9" }]),
  },
];
