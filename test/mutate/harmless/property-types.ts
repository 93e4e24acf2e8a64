import type { Harmless } from "./harmless.ts";
import { ABOUT, SPARES, THERE } from "./reasons.ts";

const CHEAP = "What it would leave to the expression after it, that refuses as well.";
const NO_NAMES = "A type without names is written with a few bytes more, and read as none.";
const REVISION = "It only has to be another one with each write.";

export const PROPERTY_TYPES: readonly Harmless[] = [
  {
    file: "lib/lake/property-types/property-kinds.ts",
    line: "const LONGEST = 35;",
    mutator: "literal",
    why: CHEAP,
  },
  {
    file: "lib/lake/property-types/property-kinds.ts",
    line: "if (text.length < SHORTEST || text.length > LONGEST || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;",
    mutator: "condition",
    becomes: "if (false) return false;",
    why: CHEAP,
  },
  {
    file: "lib/lake/property-types/property-kinds.ts",
    line: "if (text.length < SHORTEST || text.length > LONGEST || text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return false;",
    mutator: "logic",
    why: CHEAP,
  },
  {
    file: "lib/lake/property-types/property-quota.ts",
    line: "if (draft.isChanged) settleRest(draft.names);",
    mutator: "condition",
    becomes: "if (true) settleRest(draft.names);",
    why: "Where nothing changed, nothing of it is kept.",
  },
  {
    file: "lib/lake/property-types/stored-types.ts",
    line: "const sorted = [...names[owner]].sort(byName);",
    mutator: "sort direction",
    why: "Names compress as well in the one order as in the other, and they are read as a set.",
  },
  {
    file: "lib/lake/property-types/stored-types.ts",
    line: "if (days.size > 0) typed[type] = Object.fromEntries([...days].map(([day, own]) => [day, own.map(([name]) => name)]));",
    mutator: "condition",
    becomes: "if (true) typed[type] = Object.fromEntries([...days].map(([day, own]) => [day, own.map(([name]) => name)]));",
    why: NO_NAMES,
  },
  {
    file: "lib/lake/property-types/stored-types.ts",
    line: "if (days.size > 0) typed[type] = Object.fromEntries([...days].map(([day, own]) => [day, own.map(([name]) => name)]));",
    mutator: "boundary",
    why: NO_NAMES,
  },
  {
    file: "lib/lake/property-types/stored-types.ts",
    line: "if (known !== undefined) names.set(name, { ...known, evidence });",
    mutator: "condition",
    becomes: "if (true) names.set(name, { ...known, evidence });",
    why: THERE,
  },
  {
    file: "lib/lake/property-types.ts",
    line: "for (const type of TYPED) if (sketchCount(evidence[type]) > sketchCount(evidence[lead])) lead = type;",
    mutator: "boundary",
    why: "Where as many events speak for two types, neither is the property's, whichever is taken for the first.",
  },
  {
    file: "lib/lake/query-types.ts",
    line: "const lookups = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);",
    mutator: "boundary",
    why: "No two answers have one name.",
  },
  {
    file: "lib/lake/learn-types.ts",
    line: "const TRIES = 50;",
    mutator: "literal",
    becomes: "const TRIES = 500;",
    why: "One try more or less is as good.",
  },
  {
    file: "lib/lake/learn-types.ts",
    line: "for (let attempt = 1; attempt <= TRIES; attempt += 1) {",
    mutator: "literal",
    becomes: "for (let attempt = 0; attempt <= TRIES; attempt += 1) {",
    why: "One try more or less is as good.",
  },
  {
    file: "lib/lake/learn-types.ts",
    line: "for (let attempt = 1; attempt <= TRIES; attempt += 1) {",
    mutator: "boundary",
    becomes: "for (let attempt = 1; attempt < TRIES; attempt += 1) {",
    why: "One try more or less is as good.",
  },
  {
    file: "lib/lake/query-types.ts",
    line: "const PROJECTS_KEPT = 200;",
    mutator: "literal",
    becomes: "const PROJECTS_KEPT = 2000;",
    why: ABOUT,
  },
  {
    file: "lib/table/revision.ts",
    line: 'const revision = typeof before?.rev === "number" ? before.rev : 0;',
    mutator: "literal",
    becomes: 'const revision = typeof before?.rev === "number" ? before.rev : 1;',
    why: REVISION,
  },
  {
    file: "lib/table/revision.ts",
    line: "const item: Item = { ...next, rev: revision + 1 };",
    mutator: "arithmetic",
    why: REVISION,
  },
  {
    file: "lib/lake/query-types.ts",
    line: "const lookups = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);",
    mutator: "literal",
    becomes: "const lookups = [...answers].sort(([a], [b]) => (a < b ? -1 : 0)).map(([, answer]) => answer);",
    why: "Sorting asks of two only whether the one comes before the other.",
  },
  {
    file: "lib/lake/learn-types.ts",
    line: 'if (type === "String" && !open.has(name)) continue;',
    mutator: "condition",
    becomes: "if (false) continue;",
    why: SPARES,
  },
  {
    file: "lib/lake/learn-types.ts",
    line: 'if (type === "String" && !open.has(name)) continue;',
    mutator: "statement left out",
    why: SPARES,
  },
  {
    file: "lib/lake/learn-types.ts",
    line: "const before = fresh[owner].get(name) ?? open.get(name) ?? (type === undefined ? undefined : settledAs(type));",
    mutator: "condition",
    becomes: "const before = fresh[owner].get(name) ?? open.get(name) ?? (false ? undefined : settledAs(type));",
    why: "Of no type nothing is settled, either way.",
  },
  {
    file: "lib/lake/learn-types.ts",
    line: "if (group) see(GROUP_OWNERS[group.slot] ?? GROUP_OWNERS[0], group.set, identity);",
    mutator: "fallback dropped",
    why: THERE,
  },
  {
    file: "lib/lake/learn-types.ts",
    line: "if (group) see(GROUP_OWNERS[group.slot] ?? GROUP_OWNERS[0], group.set, identity);",
    mutator: "first or last",
    why: THERE,
  },
];
