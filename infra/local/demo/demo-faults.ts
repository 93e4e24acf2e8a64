/** An exception of the demo's shop as an SDK sends it: the outermost of a chain first, frames from the entry to the place. */
interface Fault {
  readonly exceptions: readonly object[];
  /** What the page did before, with how many milliseconds before. */
  readonly steps: readonly (readonly [number, string])[];
}

const vendor = (name: string, line: number) => ({
  platform: "web:javascript",
  filename: "https://shop.example/assets/vendor.js",
  function: name,
  lineno: line,
  colno: 12,
  in_app: false,
});

interface Source {
  readonly before: readonly string[];
  readonly at: string;
  readonly after: readonly string[];
}

const own = (file: string, name: string, line: number, { before, at, after }: Source) => ({
  platform: "web:javascript",
  filename: `https://shop.example/src/${file}`,
  function: name,
  lineno: line,
  colno: 9,
  in_app: true,
  pre_context: before,
  context_line: at,
  post_context: after,
});

const CLICK = [vendor("dispatchEvent", 4021), vendor("batchedUpdates", 1187)];

const SUBMIT = own("checkout.ts", "submit", 58, {
  before: ["export const submit = async (cart: Cart) => {", "  lock(cart);"],
  at: "  const sum = total(cart);",
  after: ["  return pay(cart, sum);", "};"],
});

const exception = (type: string, value: string, frames: readonly object[], handled = false) => ({
  type,
  value,
  mechanism: { handled },
  stacktrace: { type: "raw", frames },
});

/** The faults of the demo's shop, all as likely. */
export const FAULTS: readonly Fault[] = [
  {
    exceptions: [
      exception("TypeError", "Cannot read properties of undefined (reading 'total')", [
        ...CLICK,
        SUBMIT,
        own("cart.ts", "total", 21, {
          before: [
            "export const total = ({ lines, discount }: Cart): number => {",
            "  const sum = lines.reduce((all, line) => all + line.price, 0);",
          ],
          at: "  return sum - discount.total;",
          after: ["};"],
        }),
      ]),
    ],
    steps: [
      [9_000, "Opened the cart"],
      [1_200, "Pressed “Pay”"],
    ],
  },
  {
    exceptions: [
      exception("RangeError", "Invalid time value", [
        ...CLICK,
        own("orders.ts", "shipsOn", 34, {
          before: ["/** The day on which an order leaves. */", "const shipsOn = (order: Order): string => {"],
          at: "  return new Date(order.paidAt).toISOString().slice(0, 10);",
          after: ["};"],
        }),
      ]),
    ],
    steps: [[2_500, "Opened the list of orders"]],
  },
  {
    exceptions: [
      exception("NetworkError", "The request to /api/cart timed out", [
        vendor("runMicrotasks", 88),
        own("api.ts", "request", 12, {
          before: ["  } catch (error) {"],
          at: "    throw new NetworkError('The request to ' + path + ' timed out', { cause: error });",
          after: ["  }"],
        }),
      ]),
      exception("TimeoutError", "signal timed out", [vendor("fetch", 310), vendor("abort", 77)], true),
    ],
    steps: [
      [30_500, "Added a product to the cart"],
      [30_000, "GET /api/cart"],
    ],
  },
];
