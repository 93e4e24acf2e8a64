import type { Harmless } from "./harmless.ts";
import { EQUAL, SPARES, TRIED } from "./reasons.ts";

export const COMPACTION: readonly Harmless[] = [
  {
    file: "lib/lake/compaction/asking.ts",
    line: "again: failing.filter(({ againAt }) => againAt <= began),",
    mutator: "step left out",
    why: SPARES,
  },
  {
    file: "lib/lake/compaction/asking.ts",
    line: "if (failure === undefined || parts.clock.now() < failure.againAt || taskOf(failure.job) !== entry.task) return;",
    mutator: "boundary",
    why: "The sweep asks for it a minute later.",
  },
  { file: "lib/lake/compaction/audit.ts", line: "const TRIES = 5;", mutator: "literal", why: TRIED },
  { file: "lib/lake/compaction/compact.ts", line: "const TRIES = 3;", mutator: "literal", why: TRIED },
  {
    file: "lib/lake/compaction/compact.ts",
    line: "for (let attempt = 1; attempt <= TRIES; attempt += 1) {",
    mutator: "boundary",
    why: TRIED,
  },
  {
    file: "lib/lake/compaction/due-entries.ts",
    line: "return (taken.get(shard) ?? 0) < MOST_LATER;",
    mutator: "literal",
    why: EQUAL,
  },
  {
    file: "lib/lake/compaction/due.ts",
    line: "commits > 0 && (rows >= policy.historyRows || now - newest >= policy.historyQuietMs || now - oldest >= policy.historyAgeMs);",
    mutator: "boundary",
    becomes:
      "commits > 0 && (rows >= policy.historyRows || now - newest >= policy.historyQuietMs || (now - oldest) > policy.historyAgeMs);",
    why: EQUAL,
  },
  {
    file: "lib/lake/compaction/layout.ts",
    line: "if (last.length > 0 && rowsOf(together) <= policy.fileRows && weightOf(together) <= policy.fileBytes) last.push(file);",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/lake/compaction/rewrite.ts",
    line: 'files: step.into === "files" ? [...files, ...written].sort((a, b) => a.days[0] - b.days[0]) : files,',
    mutator: "sort direction",
    why: "Files of neighbouring days are put together, and stand beside each other either way.",
  },
  {
    file: "lib/lake/compaction/sweep-place.ts",
    line: "await table.put({ ...KEY, v: PLACE_FORMAT, ...next });",
    mutator: "not awaited",
    why: "Where it is not written, the next sweep begins where this one did.",
  },
  {
    file: "lib/lake/compaction/sweep-project.ts",
    line: 'await asking.ask([...uncounted].map((partition) => ({ job: { v: JOB_FORMAT, kind: "usage", project, partition } })));',
    mutator: "not awaited",
    why: "The commit stays until its rows are counted, and the next sweep asks again.",
  },
  {
    file: "lib/lake/compaction/sweep-project.ts",
    line: "segments.map(({ partition }) => partition).filter((partition) => (times.get(partition)?.get(id) ?? Number.POSITIVE_INFINITY) <= by);",
    mutator: "fallback dropped",
    why: "What is no number is not before any time, either.",
  },
  {
    file: "lib/lake/compaction/sweep.ts",
    line: "isDue(backlogs, policy, now) || now - oldestOf(backlogs) >= policy.commitStayMs;",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/lake/compaction/tier.ts",
    line: "let upTo = 0;",
    mutator: "literal",
    why: "Only differences of it are asked for.",
  },
];
