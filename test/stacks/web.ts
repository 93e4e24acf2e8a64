import { type Frame, type Stack, sent } from "./stack.ts";

const WEB = "web";
const ORIGIN = "https://shop.acme.test";

const frame = (name: string, filename: string, lineno?: number, colno?: number, in_app = true): Frame => ({
  platform: "web:javascript",
  filename,
  function: name,
  in_app,
  ...(lineno !== undefined && { lineno }),
  ...(colno !== undefined && { colno }),
});
const web = (type: string, value: string, frames: readonly Frame[] | null): Stack["properties"] => sent(WEB, type, value, frames);

const addToCart = (file: string, line = 42, column = 17): readonly Frame[] => [
  frame("HTMLButtonElement.onclick", file, line + 100, 5),
  frame("addToCart", file, line, column),
];
/** The same minified: all code is in the first line. */
const minified = (file: string, ...columns: readonly number[]): readonly Frame[] => columns.map((column) => frame("t", file, 1, column));
const CHROME_UNDEFINED = "Cannot read properties of undefined (reading 'price')";

export const WEB_STACKS: readonly Stack[] = [
  { told: "Chrome, code as it was written", issue: "cart", properties: web("TypeError", CHROME_UNDEFINED, addToCart(`${ORIGIN}/cart.js`)) },
  { told: "other lines", issue: "cart", properties: web("TypeError", CHROME_UNDEFINED, addToCart(`${ORIGIN}/cart.js`, 45, 9)) },
  { told: "another host", issue: "cart", properties: web("TypeError", CHROME_UNDEFINED, addToCart("https://www.acme.test/cart.js")) },
  {
    told: "Firefox says it in other words, with the same frames",
    issue: "cart",
    properties: web("TypeError", 'can\'t access property "price", item is undefined', addToCart(`${ORIGIN}/cart.js`)),
  },
  {
    told: "Safari as well",
    issue: "cart",
    properties: web("TypeError", "undefined is not an object (evaluating 'item.price')", addToCart(`${ORIGIN}/cart.js`)),
  },
  { told: "another type", issue: "cart-range", properties: web("RangeError", CHROME_UNDEFINED, addToCart(`${ORIGIN}/cart.js`)) },
  {
    told: "another function",
    issue: "cart-remove",
    properties: web("TypeError", CHROME_UNDEFINED, [frame("removeFromCart", `${ORIGIN}/cart.js`, 60, 3)]),
  },
  {
    told: "a bundle",
    issue: "bundle",
    before: "bundle-1",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/static/app.4f3a9c1b.js`)),
  },
  {
    told: "the next release of the bundle",
    issue: "bundle",
    before: "bundle-2",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/static/app.99e1d07a.js`)),
  },
  {
    told: "a bundle of vite",
    issue: "vite",
    before: "vite-1",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/assets/index-BkX9d2aQ.js`)),
  },
  {
    told: "its next release",
    issue: "vite",
    before: "vite-2",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/assets/index-C0wPz7Lm.js`)),
  },
  {
    told: "a chunk of webpack",
    issue: "chunk",
    before: "chunk-1",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/static/js/main.8a7d6f5e.chunk.js`)),
  },
  {
    told: "its next release",
    issue: "chunk",
    before: "chunk-2",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/static/js/main.0b1c2d3e.chunk.js`)),
  },
  {
    told: "a page of a framework, in the folder of its build",
    issue: "next",
    before: "next-1",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/_next/static/20261101120000/pages/checkout-5d41402abc4b.js`)),
  },
  {
    told: "its next build",
    issue: "next",
    before: "next-2",
    properties: web("TypeError", "x", addToCart(`${ORIGIN}/_next/static/20261108093000/pages/checkout-7d793037a076.js`)),
  },
  { told: "minified", issue: "minified", properties: web("Error", "boom", minified(`${ORIGIN}/static/app.min.js`, 900, 4_321)) },
  {
    told: "the same with another message",
    issue: "minified",
    properties: web("Error", "bang", minified(`${ORIGIN}/static/app.min.js`, 900, 4_321)),
  },
  {
    told: "minified, elsewhere",
    issue: "minified-elsewhere",
    properties: web("Error", "boom", minified(`${ORIGIN}/static/app.min.js`, 900, 7_777)),
  },
  {
    told: "Firefox without names of functions",
    issue: "firefox-anonymous",
    properties: web("TypeError", "x", [frame("?", `${ORIGIN}/shop.js`, 12, 3)]),
  },
  {
    told: "Safari with its own code before",
    issue: "safari",
    properties: web("TypeError", "x", [
      frame("[native code]", "[native code]", undefined, undefined, false),
      ...addToCart(`${ORIGIN}/list.js`),
    ]),
  },
  {
    told: "a module that a tool serves",
    issue: "tool",
    before: "tool-1",
    properties: web("Error", "x", [frame("render", "webpack-internal:///./src/cart.tsx", 20, 7)]),
  },
  {
    told: "the same by another part of the tool",
    issue: "tool",
    before: "tool-1",
    properties: web("Error", "x", [frame("render", "webpack-internal:///(app-pages-browser)/./src/cart.tsx", 22, 7)]),
  },
  {
    told: "another module with a function of the same name",
    issue: "tool-other",
    before: "tool-1",
    properties: web("Error", "x", [frame("render", "webpack-internal:///./src/list.tsx", 20, 7)]),
  },
  {
    told: "a page in a phone's application",
    issue: "capacitor",
    before: "capacitor",
    properties: web("Error", "x", [frame("open", "capacitor://localhost/main.4f3a9c1b.js", 3, 40)]),
  },
  {
    told: "its next release",
    issue: "capacitor",
    before: "capacitor",
    properties: web("Error", "x", [frame("open", "capacitor://localhost/main.1b2c3d4e.js", 3, 40)]),
  },
  {
    told: "a rejection without a stack",
    issue: "rejection",
    properties: web("UnhandledRejection", "Non-Error promise rejection captured with value: undefined", null),
  },
  {
    told: "with an id in its message",
    issue: "order",
    before: "order-1",
    properties: web("Error", "Order 018f3c2e-77aa-7c3d-9f10-0a1b2c3d4e5f not found", null),
  },
  {
    told: "with another id",
    issue: "order",
    before: "order-2",
    properties: web("Error", "Order 018f3c2e-77aa-7c3d-9f10-ffffffffffff not found", null),
  },
  { told: "with a number", issue: "order-late", before: "order-3", properties: web("Error", "Order 17 is 3 days late", null) },
  { told: "with another number", issue: "order-late", before: "order-4", properties: web("Error", "Order 1204 is 12 days late", null) },
  {
    told: "a network error that names its target",
    issue: "network-orders",
    before: "network-1",
    properties: web("TypeError", "Failed to fetch https://api.acme.test/v1/orders/17?page=2", null),
  },
  {
    told: "the same target, another order",
    issue: "network-orders",
    before: "network-2",
    properties: web("TypeError", "Failed to fetch https://api.acme.test/v1/orders/18?page=9", null),
  },
  {
    told: "another target",
    issue: "network-users",
    before: "network-3",
    properties: web("TypeError", "Failed to fetch https://api.acme.test/v1/users/17", null),
  },
  { told: "one that names none", issue: "network-unknown", properties: web("TypeError", "Failed to fetch", null) },
  {
    told: "code of an extension only",
    issue: "extension",
    before: "extension-1",
    properties: web("Error", "x", [
      frame("inject", "chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb/content.js", 1, 200, false),
      frame("observe", "chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb/content.js", 1, 240, false),
    ]),
  },
  {
    told: "another one, begun by the same function",
    issue: "extension-other",
    before: "extension-1",
    properties: web("Error", "x", [
      frame("inject", "chrome-extension://bbpbdbdomjkkjkaonfhkkikfgjllclaa/page.js", 1, 200, false),
      frame("translate", "chrome-extension://bbpbdbdomjkkjkaonfhkkikfgjllclaa/page.js", 1, 240, false),
    ]),
  },
  {
    told: "a recursion",
    issue: "recursion",
    before: "recursion-3",
    properties: web("RangeError", "Maximum call stack size exceeded", [
      frame("start", `${ORIGIN}/tree.js`, 2, 3),
      ...Array.from({ length: 3 }, () => frame("walk", `${ORIGIN}/tree.js`, 9, 5)),
    ]),
  },
  {
    told: "the same, deeper",
    issue: "recursion",
    before: "recursion-9",
    properties: web("RangeError", "Maximum call stack size exceeded", [
      frame("start", `${ORIGIN}/tree.js`, 2, 3),
      ...Array.from({ length: 9 }, () => frame("walk", `${ORIGIN}/tree.js`, 9, 5)),
    ]),
  },
  {
    told: "two functions that call each other",
    issue: "circle",
    before: "circle-even",
    properties: web("RangeError", "Maximum call stack size exceeded", [
      ...Array.from({ length: 10 }, (_, at) => frame(at % 2 === 0 ? "even" : "odd", `${ORIGIN}/tree.js`, 20 + (at % 2), 5)),
    ]),
  },
  {
    told: "the same, cut elsewhere",
    issue: "circle",
    before: "circle-odd",
    properties: web("RangeError", "Maximum call stack size exceeded", [
      ...Array.from({ length: 11 }, (_, at) => frame(at % 2 === 1 ? "even" : "odd", `${ORIGIN}/tree.js`, 20 + (at % 2), 5)),
    ]),
  },
];
