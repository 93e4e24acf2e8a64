import type { Harmless } from "./harmless.ts";
import { ABOUT, EQUAL, SPARES } from "./reasons.ts";

export const PERSONS: readonly Harmless[] = [
  {
    file: "lib/lake/persons/bounds.ts",
    line: "for (const { key, at } of person.ids.flatMap((id) => mentions(logs.get(id)?.ops ?? []))) {",
    mutator: "fallback dropped",
    why: "Every id of a person has a log; the types do not say so.",
  },
  {
    file: "lib/lake/persons/delta-files.ts",
    line: '{ name: "body", kind: "utf8", values: entries.map(({ body }) => body), nullable: true, repeats: false },',
    mutator: "literal",
    becomes: '{ name: "body", kind: "utf8", values: entries.map(({ body }) => body), nullable: true, repeats: true },',
    why: SPARES,
  },
  {
    file: "lib/lake/persons/deltas.ts",
    line: "if (compareAt(at, known.first) < 0) known.first = at;",
    mutator: "boundary",
    why: "The two are equal then.",
  },
  {
    file: "lib/lake/persons/fold.ts",
    line: "if (taken.length > 0 && (entries >= sizes.entries || bytes > sizes.bytes)) break;",
    mutator: "boundary",
    becomes: "if (taken.length > 0 && (entries >= sizes.entries || bytes >= sizes.bytes)) break;",
    why: EQUAL,
  },
  {
    file: "lib/lake/persons/fold.ts",
    line: "const numbers = new Set(layers.map(({ layer = 0 }) => layer));",
    mutator: "literal",
    why: "A layer is above 0, so it states its number; the types do not say so.",
  },
  {
    file: "lib/lake/persons/person-log.ts",
    line: "targets: b.targets.length === 0 ? a.targets : [...new Set([...a.targets, ...b.targets])].sort(),",
    mutator: "sort direction",
    why: "In the one order or in the other: they are a set.",
  },
  {
    file: "lib/lake/persons/person-log.ts",
    line: "ops.length === 0 ? NO_OPS : withoutDead(withoutRepeatedMerges(inOrder(ops)));",
    mutator: "condition",
    becomes: "false ? NO_OPS : withoutDead(withoutRepeatedMerges(inOrder(ops)));",
    why: "Of no operations the rest makes an empty list, too: another one for each id.",
  },
  {
    file: "lib/lake/persons/person-log.ts",
    line: "logs.set(id, { seen, ops: live(ops), targets: targets ? [...targets].sort() : NOBODY });",
    mutator: "sort direction",
    why: "A set, whose order nobody looks at; joining sorts it again.",
  },
  {
    file: "lib/lake/persons/person-replay.ts",
    line: "return last ?? createdAt;",
    mutator: "fallback dropped",
    why: "Every person has an id that was seen: an operation belongs to an event, and its id is seen with it.",
  },
  {
    file: "lib/lake/persons/state-columns.ts",
    line: "isGone(rows, at) ? null : valueAt(kind, rows, at),",
    mutator: "condition",
    becomes: "false ? null : valueAt(kind, rows, at),",
    why: "Rows that are read one by one are of logs and groups, which never go; merging looks at what is gone itself.",
  },
  {
    file: "lib/lake/persons/state-columns.ts",
    line: 'const gone: Column = { name: "gone", kind: "boolean", values: chosen.from.map((rows, row) => isGone(rows, chosen.at[row] ?? 0)) };',
    mutator: "fallback dropped",
    why: "The two lists are of one length; the types do not say so.",
  },
  {
    file: "lib/lake/persons/state-files.ts",
    line: "if (value === null) found.delete(key);",
    mutator: "statement left out",
    why: "What is looked up, logs and groups, is never gone.",
  },
  {
    file: "lib/lake/persons/state-files.ts",
    line: 'const FOLDERS = { persons: "persons", distinctIds: "distinct-ids", groups: "groups", history: "history" } as const;',
    mutator: "literal",
    why: "The manifests name the keys; any name of a folder does.",
  },
  {
    file: "lib/lake/persons/state-files.ts",
    line: "const weightOf = ({ rows, bytes }: StateFile): number => 150 * rows + 6 * bytes;",
    mutator: "literal",
    why: ABOUT,
  },
  {
    file: "lib/lake/persons/state-merge.ts",
    line: "for (const [row, rows] of from.entries()) yield rowAt(kind, rows, at[row] ?? 0);",
    mutator: "literal",
    why: "Every chosen row has a place; the types do not say so.",
  },
  {
    file: "lib/lake/persons/state-merge.ts",
    line: 'for (const file of files.toSorted((a, b) => ((a.keys?.[0] ?? "") < (b.keys?.[0] ?? "") ? -1 : 1)))',
    mutator: "literal",
    why: "No two files of a layer begin with the same key.",
  },
  {
    file: "lib/lake/persons/stored-deltas.ts",
    line: "const MOST_INLINE_ENTRIES = MOST_INLINE / 50;",
    mutator: "arithmetic",
    why: "It spares writing as text what is too long for it anyway.",
  },
];
