import type { NamedMutation } from "./named-mutant.ts";

/** Safeguards that no test noticed the lack of once. Each of these changes has to be noticed. */
export const NAMED: readonly NamedMutation[] = [
  {
    name: "a fold marks commits absorbed that it did not take",
    file: "lib/lake/fold-persons.ts",
    original: "...absorbing(state, commits, taken, parts.clock.now())",
    replaced: "...absorbing(state, commits, commits, parts.clock.now())",
  },
  {
    name: "a gather marks commits absorbed that it did not merge",
    file: "lib/lake/compact.ts",
    original: "...absorbing(manifest, commits, proposal.merged, parts.clock.now())",
    replaced: "...absorbing(manifest, commits, commits, parts.clock.now())",
  },
  {
    name: "layers are merged without the new rows",
    file: "lib/lake/fold-persons.ts",
    original: "await written(layers, 1)",
    replaced:
      "await writeFiles(parts, project, kind, mergedRows(parts.objects, kind, layers, buildColumns(kind, []), { most: sizes.fileRows, withGone: true }), 1)",
  },
  {
    name: "a commit in halves loses a segment",
    file: "lib/lake/commit.ts",
    original: "segments: segments.slice(half) }, learnt);",
    replaced: "segments: segments.slice(half + 1) }, learnt);",
  },
  {
    name: "a commit in halves loses the deltas",
    file: "lib/lake/commit.ts",
    original: "segments: segments.slice(0, half) }, learnt);",
    replaced: "segments: segments.slice(0, half) }, { ...learnt, said: () => together([]) });",
  },
  {
    name: "the object of the deltas is put after the commit",
    file: "lib/lake/commit.ts",
    original: `    if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
    return parts.table.put(item);
`,
    replaced: `    await parts.table.put(item);
    if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
    return;
`,
  },
  {
    name: "a gather compares only what its one step merges",
    file: "lib/lake/compaction/gather.ts",
    original: "{ waiting: segments, files: near }",
    replaced: "{ waiting: firstThatFit(waiting, own, policy).flatMap(own), files: near }",
  },
  {
    name: "what comes late to a month leaves the month after as it was counted",
    file: "lib/lake/usage.ts",
    original: "if (after !== knownAfter) await settleAnew",
    replaced: "if (after < knownAfter) await settleAnew",
  },
  {
    name: "a trace that ends in another month frees nothing that is counted",
    file: "lib/lake/usage.ts",
    original: "if (before !== knownBefore && beside.before !== undefined) await settleAnew",
    replaced: "if (before < knownBefore && beside.before !== undefined) await settleAnew",
  },
  {
    name: "what dropped copies say of persons is folded",
    file: "lib/lake/persons/corrections.ts",
    original: "if (correction.ids.size > 0) found.push",
    replaced: "if (correction.ids.size < 0) found.push",
  },
  {
    name: "deltas are folded before their rows are gathered",
    file: "lib/lake/fold-persons.ts",
    original: "waiting: gatheredCommits(unfolded, manifests)",
    replaced: "waiting: unfolded",
  },
  {
    name: "the audit forgets corrections",
    file: "lib/lake/names.ts",
    original: '  for (const { key } of manifest.corrections ?? []) objects.set(key, { what: "corrections", isNeeded: true });\n',
    replaced: "",
  },
  {
    name: "a commit may be of half a megabyte",
    file: "lib/lake/catalogue/commits.ts",
    original: "MAX_COMMIT_BYTES = 300_000",
    replaced: "MAX_COMMIT_BYTES = 500_000",
  },
  {
    name: "a swap succeeds on a removed project",
    file: "lib/lake/head.ts",
    original: "of: [isStill(PREFIX + entry, from), NOT_REMOVED, isStill(REMOVALS, removals)]",
    replaced: "of: [isStill(PREFIX + entry, from), isStill(REMOVALS, removals)]",
  },
  {
    name: "a swap may come as late as it likes",
    file: "lib/lake/catalogue/swap.ts",
    original: '    if (parts.clock.now() - started > policy.swapWithinMs) return "lost";\n',
    replaced: "",
  },
  {
    name: "an absorbed commit stays for a minute",
    file: "lib/lake/policy.ts",
    original: "commitStayMs: 15 * MINUTE_MS",
    replaced: "commitStayMs: MINUTE_MS",
  },
  {
    name: "what nobody names is deleted after an hour",
    file: "lib/lake/policy.ts",
    original: "orphanAgeMs: 2 * DAY_MS",
    replaced: "orphanAgeMs: HOUR_MS",
  },
  {
    name: "the audit forgets what is retired",
    file: "lib/lake/names.ts",
    original:
      '  for (const key of await readRetired(parts.table, project)) addUnlessKnown(found, key, { what: "retired", isNeeded: false });\n',
    replaced: "",
  },
  {
    name: "the audit forgets the objects of deltas",
    file: "lib/lake/names.ts",
    original: 'if (deltas && "key" in deltas)',
    replaced: 'if (false && deltas && "key" in deltas)',
  },
  {
    name: "each swap says that everything was absorbed just now",
    file: "lib/lake/catalogue/absorbed.ts",
    original: "at.set(id, old.absorbedAt[position] ?? now)",
    replaced: "at.set(id, now)",
  },
  {
    name: "usage is corrected for the first 5,000 runs of rows that a merge leaves out",
    file: "lib/engine/storage/row-places.ts",
    original: "Math.ceil(runs.length / RUNS_AT_ONCE)",
    replaced: "Math.min(1, Math.ceil(runs.length / RUNS_AT_ONCE))",
  },
  {
    name: "the order of operations does not look at the place in the request",
    file: "lib/lake/persons/deltas.ts",
    original: "  if (a.index !== b.index) return a.index - b.index;\n",
    replaced: "",
  },
  {
    name: "an event's $unset comes before its $set",
    file: "lib/lake/persons/person-replay.ts",
    original: `  for (const [key, value] of Object.entries(set ?? {})) properties.set(key, value);
  for (const key of unset ?? []) properties.delete(key);
`,
    replaced: `  for (const key of unset ?? []) properties.delete(key);
  for (const [key, value] of Object.entries(set ?? {})) properties.set(key, value);
`,
  },
  {
    name: "a group is as old as its latest event",
    file: "lib/lake/persons/group-log.ts",
    original: "createdAt: least(a.createdAt, b.createdAt)",
    replaced: "createdAt: greatest(a.createdAt, b.createdAt)",
  },
  {
    name: "a column is called present before it is fetched",
    file: "lib/engine/storage/fetch-file.ts",
    original: "  const chunks = missing.flatMap(",
    replaced: "  for (const column of missing) file.present.add(column);\n  const chunks = missing.flatMap(",
  },
  {
    name: "files that a query held are never released",
    file: "lib/engine/storage/local-files.ts",
    original: "        unpin(pinned);\n",
    replaced: "",
  },
  {
    name: "a message that is read in half leaves what it says of properties",
    file: "lib/lake/rows.ts",
    original: `    if (event !== null) stored.push(event);
  }
`,
    replaced: `    if (event !== null) stored.push(event);
    if (event !== null) keptEvents([event], types);
  }
`,
  },
  {
    name: "a project that was there once is taken to be there for ever",
    file: "functions/ingest/owner.ts",
    original: "memory.presentUntil = now + KNOWN_MS",
    replaced: "memory.presentUntil = Number.POSITIVE_INFINITY",
  },
];
