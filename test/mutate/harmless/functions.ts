import type { Harmless } from "./harmless.ts";
import { ABOUT, SPARES } from "./reasons.ts";

export const FUNCTIONS: readonly Harmless[] = [
  { file: "functions/ingest/known-types.ts", line: "const LEAST_NAMES = 10;", mutator: "literal", why: ABOUT },
  { file: "functions/ingest/project-memory.ts", line: "presentUntil: 0,", mutator: "literal", why: "No clock shows either." },
  {
    file: "functions/ingest/group-accounts.ts",
    line: "if (news.length === 0) return;",
    mutator: "condition",
    becomes: "if (false) return;",
    why: SPARES,
  },
  {
    file: "functions/ingest/group-accounts.ts",
    line: "if (news.length === 0) return;",
    mutator: "statement left out",
    becomes: "if (news.length === 0)",
    why: SPARES,
  },
  {
    file: "functions/ingest/group-accounts.ts",
    line: "if (known === undefined || (name !== undefined && at > known.at)) memory.accounts.set(key, { name, at });",
    mutator: "condition",
    becomes: "if (true) memory.accounts.set(key, { name, at });",
    why: "It decides what is asked for once more; what is stored is decided where it is stored.",
  },
  {
    file: "functions/ingest/group-accounts.ts",
    line: "if (known === undefined || (name !== undefined && at > known.at)) memory.accounts.set(key, { name, at });",
    mutator: "logic",
    becomes: "if (known === undefined || ((name !== undefined) || (at > known.at))) memory.accounts.set(key, { name, at });",
    why: "It decides what is asked for once more; what is stored is decided where it is stored.",
  },
  {
    file: "functions/ingest/group-accounts.ts",
    line: "if (known === undefined || (name !== undefined && at > known.at)) memory.accounts.set(key, { name, at });",
    mutator: "boundary",
    becomes: "if (known === undefined || (name !== undefined && at >= known.at)) memory.accounts.set(key, { name, at });",
    why: "It decides what is asked for once more; what is stored is decided where it is stored.",
  },
  {
    file: "functions/ingest/project-memory.ts",
    line: "const MAX_PROJECTS = 10_000;",
    mutator: "literal",
    becomes: "const MAX_PROJECTS = 100000;",
    why: ABOUT,
  },
  {
    file: "functions/jobs/lake-attempt.ts",
    line: 'const partition = "partition" in job ? job.partition : undefined;',
    mutator: "condition",
    becomes: "const partition = true ? job.partition : undefined;",
    why: "A job without one has none, either way.",
  },
  {
    file: "functions/ingest/isolate-poison-events.ts",
    line: "for (const { row } of some) reject(row.index, fault);",
    mutator: "loop ended after its first turn",
    why: "What has no half is one event.",
  },
  {
    file: "functions/ingest/isolate-poison-events.ts",
    line: "if (some.length === 0) return;",
    mutator: "condition",
    becomes: "if (false) return;",
    why: SPARES,
  },
  {
    file: "functions/ingest/isolate-poison-events.ts",
    line: "if (some.length === 0) return;",
    mutator: "statement left out",
    why: SPARES,
  },
];
