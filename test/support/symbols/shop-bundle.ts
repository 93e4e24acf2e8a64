import { build } from "esbuild";

/** A built chunk and its map, as text. */
export interface Built {
  readonly code: string;
  readonly map: string;
}

/** Sources of a small shop, by path: what throws is told by `globalThis.shop`. */
const SOURCES: Readonly<Record<string, string>> = {
  "/shop/src/checkout.ts": `import { total } from "./cart";
import { retry } from "retry";

class Checkout {
  constructor(private readonly items: Item[]) {}

  pay(card: string): string {
    return this._charge(total(this.items), card);
  }

  private _charge(amount: number, card: string): string {
    if (amount > 10) throw new RangeError("declined");
    return card;
  }
}

type Item = { price: number | null };

const handlePay = (items: Item[]) => new Checkout(items).pay("4242");

export const shop = {
  tooMuch: () => handlePay([{ price: 7 }, { price: 8 }]),
  noPrice: () => handlePay([{ price: null }]),
  retried: () => retry(() => handlePay([{ price: 11 }])),
};
Object.assign(globalThis, { shop });
`,
  "/shop/src/cart.ts": `export function total(items: { price: number | null }[]): number {
  const addPrice = (sum: number, item: { price: number | null }) => {
    if (item.price === null) throw new TypeError("no price");
    return sum + item.price;
  };
  return items.reduce(addPrice, 0);
}
`,
  "/shop/node_modules/retry/index.js": `export function retry(attempt) {
  return attempt();
}
`,
};

/** What the bundlers' plugins put before a chunk: it tells the SDK which chunk a file is. */
const snippet = (chunkId: string): string =>
  `!function(){try{var e="undefined"!=typeof window?window:"undefined"!=typeof global?global:"undefined"!=typeof globalThis?globalThis:` +
  `"undefined"!=typeof self?self:{},n=(new e.Error).stack;n&&(e._posthogChunkIds=e._posthogChunkIds||{},` +
  `e._posthogChunkIds[n]="${chunkId}")}catch(e){}}();`;

/** The shop, bundled and minified with all names made short, for the chunk of an id. */
export const buildShop = async (chunkId: string): Promise<Built> => {
  const { outputFiles } = await build({
    entryPoints: ["/shop/src/checkout.ts"],
    outfile: "/shop/dist/app.js",
    ...{ bundle: true, minify: true, write: false, format: "iife", sourcemap: "external", mangleProps: /^_/ },
    banner: { js: snippet(chunkId) },
    plugins: [
      {
        name: "sources",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /./ }, ({ path }) => ({
            path: path.startsWith("/")
              ? path
              : path.startsWith(".")
                ? `/shop/src/${path.slice(2)}.ts`
                : `/shop/node_modules/${path}/index.js`,
          }));
          onLoad({ filter: /./ }, ({ path }) => ({ contents: SOURCES[path] ?? "", loader: path.endsWith(".ts") ? "ts" : "js" }));
        },
      },
    ],
  });
  const text = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { code: text(".js"), map: text(".map") };
};
