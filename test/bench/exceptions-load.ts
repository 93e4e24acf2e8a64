import { transform } from "esbuild";
import type { Built } from "../support/symbols/shop-bundle.ts";

/** Grouping rules that a project has, all of which are asked and none of which matches. */
export const RULES = 200;

const KINDS = 40;
const FRAMES = 25;
const DAY_MS = 86_400_000;

const OPERATORS = ["exact", "icontains", "regex"] as const;
const KEYS = ["$exception_types", "$exception_values", "$exception_sources", "$exception_functions"] as const;

export const aRule = (project: number, order_key: number, id: string) => {
  const operator = OPERATORS[order_key % OPERATORS.length];
  const value = operator === "regex" ? `absent${order_key}.*(failed|broken)` : `absent${order_key}`;
  const leaf = { key: KEYS[order_key % KEYS.length], type: "event", operator, value };
  const created_at = "2026-01-01T00:00:00.000000Z";
  return {
    project,
    id,
    filters: JSON.stringify({ type: "AND", values: [leaf] }),
    assignee: null,
    description: null,
    order_key,
    disabled_data: null,
    created_at,
    updated_at: created_at,
  };
};

/** A chunk of built code with a function for each frame of each kind. */
export interface BuiltHandlers extends Built {
  readonly chunkId: string;
  /** Columns at which the functions throw, from 1, and what they are called there. */
  readonly places: readonly { readonly colno: number; readonly function: string }[];
}

/** The handlers' sources, minified into one line of some 100 KB. */
export const buildHandlers = async (chunkId: string): Promise<BuiltHandlers> => {
  const names = Array.from({ length: KINDS * FRAMES }, (_, at) => `handleRequestNumber${at}`);
  const source = names.map(
    (name) => `const ${name} = (request) => {\n  if (request.failed) throw new Error(request.url);\n  return request;\n};\n`,
  );
  const { code, map } = await transform(`${source.join("")}globalThis.handlers = [${names.join()}];`, {
    ...{ minify: true, sourcemap: "external", sourcefile: "src/handlers.js", format: "iife" },
  });
  const places = [...code.matchAll(/([\w$]+)=\w=>\{if\(\w\.failed\)/g)].map(({ index, 0: text, 1: name = "" }) => ({
    colno: index + text.length + 1,
    function: name,
  }));
  return { code, map, chunkId, places };
};

/** An exception of some 20 KB, or a plain event of the same bytes; there are forty kinds of them. `built`: of that code. */
export const anException = (event: string, number: number, now: number, built?: BuiltHandlers) => ({
  event,
  distinct_id: `person-${number % 500}`,
  timestamp: new Date(now - (number % 1_000) * (DAY_MS / 1_000)).toISOString(),
  properties: {
    $lib: "posthog-node",
    $exception_list: [
      {
        type: `Error${number % KINDS}`,
        value: `request ${number} failed`,
        mechanism: { handled: false, type: "generic" },
        stacktrace: { type: "raw", frames: Array.from({ length: FRAMES }, (_, index) => aFrame(number % KINDS, index, built)) },
      },
    ],
  },
});

const line = (name: string): string => `    const ${name} = await load(${name}, { retries: 3, timeout: 1000 });`;

const aFrame = (kind: number, index: number, built?: BuiltHandlers) => ({
  platform: "node:javascript",
  filename: `/srv/app/src/module-${kind}/part-${index}.ts`,
  function: `handle${index}`,
  lineno: index * 10 + 1,
  colno: 7,
  module: `part-${index}`,
  in_app: index > 5,
  pre_context: ["a", "b", "c", "d", "e"].map(line),
  context_line: line("here"),
  post_context: ["f", "g", "h"].map(line),
  ...(built !== undefined && { ...built.places[kind * FRAMES + index], lineno: 1, chunk_id: built.chunkId }),
});
