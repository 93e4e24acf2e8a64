import { type Frame, type Stack, sent, sentChain } from "./stack.ts";

const frame = (module: string, name: string, filename: string, lineno?: number, in_app = true): Frame => ({
  platform: "java",
  module,
  function: name,
  filename,
  in_app,
  ...(lineno !== undefined && { lineno }),
});
const java = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => sent("posthog-java", type, value, frames);
const kotlin = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] =>
  sent("posthog-android", type, value, frames);
const CHECKOUT = frame("com.acme.shop.Cart", "checkout", "Cart.java", 42);
const SPRING = frame("org.springframework.web.servlet.FrameworkServlet", "service", "FrameworkServlet.java", 897, false);
const lambda = (number: string): Frame => frame(`com.acme.shop.Cart$$Lambda${number}`, "run", "Cart.java", 1);

export const JAVA_STACKS: readonly Stack[] = [
  { told: "a method", issue: "checkout", properties: java("IllegalStateException", "empty", SPRING, CHECKOUT) },
  { told: "another line", issue: "checkout", properties: java("IllegalStateException", "gone", SPRING, { ...CHECKOUT, lineno: 77 }) },
  {
    told: "another class",
    issue: "basket",
    properties: java("IllegalStateException", "empty", SPRING, frame("com.acme.shop.Basket", "checkout", "Basket.java", 42)),
  },
  {
    told: "a cause",
    issue: "chain",
    properties: sentChain("posthog-java", [
      ["CheckoutException", "failed", [CHECKOUT]],
      ["SQLException", "deadlock", [frame("com.acme.shop.Store", "save", "Store.java", 9)]],
    ]),
  },
  {
    told: "another cause",
    issue: "chain-other",
    properties: sentChain("posthog-java", [
      ["CheckoutException", "failed", [CHECKOUT]],
      ["IOException", "closed", [frame("com.acme.shop.Store", "save", "Store.java", 9)]],
    ]),
  },
  {
    told: "a native method, whose line is -2",
    issue: "native",
    properties: java("Error", "x", frame("sun.nio.ch.Net", "poll", "Net.java", -2), CHECKOUT),
  },
  {
    told: "a method whose line is not known",
    issue: "native",
    properties: java("Error", "x", frame("sun.nio.ch.Net", "poll", "Net.java", -1), CHECKOUT),
  },
  { told: "a lambda", issue: "lambda", before: "lambda-1", properties: java("Error", "x", lambda("$14/0x0000000800c03000")) },
  {
    told: "the same at the next start",
    issue: "lambda",
    before: "lambda-2",
    properties: java("Error", "x", lambda("$21/0x00000008012a4c40")),
  },
  {
    told: "a proxy",
    issue: "proxy",
    before: "proxy-1",
    properties: java("Error", "x", frame("com.acme.shop.Cart$$EnhancerBySpringCGLIB$$4f3a9c1b", "checkout", "<generated>")),
  },
  {
    told: "the same at the next build",
    issue: "proxy",
    before: "proxy-2",
    properties: java("Error", "x", frame("com.acme.shop.Cart$$EnhancerBySpringCGLIB$$77aa01fe", "checkout", "<generated>")),
  },
  {
    told: "a name that nobody resolves",
    issue: "unknown-host",
    before: "unknown-host",
    properties: java("UnknownHostException", 'Unable to resolve host "api.acme.test": No address', { ...SPRING }),
  },
  {
    told: "another such name",
    issue: "unknown-host-other",
    before: "unknown-host",
    properties: java("UnknownHostException", 'Unable to resolve host "cdn.acme.test": No address', { ...SPRING }),
  },
];

export const ANDROID_STACKS: readonly Stack[] = [
  {
    told: "Kotlin",
    issue: "open",
    properties: kotlin(
      "NullPointerException",
      "x",
      frame("android.os.Handler", "dispatchMessage", "Handler.java", 106),
      frame("com.acme.CartFragment", "open", "CartFragment.kt", 31),
    ),
  },
  {
    told: "its older SDK: a native method of line -2",
    issue: "open",
    properties: kotlin(
      "NullPointerException",
      "x",
      frame("android.os.Handler", "dispatchMessage", "Handler.java", 106),
      frame("com.acme.CartFragment", "open", "CartFragment.kt", -2),
    ),
  },
  {
    told: "frames without any of the application's own",
    issue: "framework",
    before: "framework",
    properties: kotlin(
      "DeadObjectException",
      "x",
      frame("android.os.BinderProxy", "transactNative", "BinderProxy.java", -2, false),
      frame("android.app.ActivityThread", "main", "ActivityThread.java", 7_656, false),
    ),
  },
  {
    told: "others, begun by the same",
    issue: "framework-other",
    before: "framework",
    properties: kotlin(
      "DeadObjectException",
      "x",
      frame("android.os.BinderProxy", "transactNative", "BinderProxy.java", -2, false),
      frame("android.view.Choreographer", "doFrame", "Choreographer.java", 900, false),
    ),
  },
  {
    told: "a lambda that the compiler took apart",
    issue: "desugared",
    before: "desugared-1",
    properties: kotlin("Error", "x", frame("com.acme.Cart$$ExternalSyntheticLambda0", "run", "D8$$SyntheticClass")),
  },
  {
    told: "the same at the next build",
    issue: "desugared",
    before: "desugared-2",
    properties: kotlin("Error", "x", frame("com.acme.Cart$$ExternalSyntheticLambda3", "run", "D8$$SyntheticClass")),
  },
  {
    told: "a crash of native code",
    issue: "signal",
    properties: sent("posthog-android", "SIGSEGV", "Segfault", [
      {
        platform: "native",
        instruction_addr: "0x7a10041c1",
        image_addr: "0x7a1000000",
        in_app: true,
        synthetic: false,
        module: "libcart.so",
      },
      {
        platform: "native",
        instruction_addr: "0x7a10055aa",
        image_addr: "0x7a1000000",
        in_app: true,
        synthetic: false,
        module: "libcart.so",
      },
    ]),
  },
  {
    told: "the same where the library was loaded elsewhere",
    issue: "signal",
    properties: sent("posthog-android", "SIGSEGV", "Segfault", [
      {
        platform: "native",
        instruction_addr: "0x6b20041c1",
        image_addr: "0x6b2000000",
        in_app: true,
        synthetic: false,
        module: "libcart.so",
      },
      {
        platform: "native",
        instruction_addr: "0x6b20055aa",
        image_addr: "0x6b2000000",
        in_app: true,
        synthetic: false,
        module: "libcart.so",
      },
    ]),
  },
  {
    told: "another place of it",
    issue: "signal-elsewhere",
    properties: sent("posthog-android", "SIGSEGV", "Segfault", [
      {
        platform: "native",
        instruction_addr: "0x6b20099ff",
        image_addr: "0x6b2000000",
        in_app: true,
        synthetic: false,
        module: "libcart.so",
      },
    ]),
  },
];
