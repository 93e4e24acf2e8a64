/** A mutant that changes nothing anybody can notice, found by its file, the line as it is written, and the mutator. */
export interface Harmless {
  readonly file: string;
  readonly line: string;
  readonly mutator: string;
  /** The line with the mutant, where the mutator makes several of it. */
  readonly becomes?: string;
  readonly why: string;
}

const ABOUT = "It bounds memory, and about as much memory does as well.";
const TRIED = "A reader whose head is too old begins anew; one try more or less is as good.";
const EQUAL = "What is exactly as much as allowed may go either way.";

const SPARES = "It only spares work that would come to the same.";
const NO_BITS = "Operators on bits take what is not there as zero; the types want a number.";

export const HARMLESS: readonly Harmless[] = [
  { file: "functions/ingest/project-memory.ts", line: "presentUntil: 0,", mutator: "literal", why: "No clock shows either." },
  {
    file: "lib/engine/storage/compared-pairs.ts",
    line: "if (a.file.days[0] > b.days[1] || b.days[0] > a.file.days[1]) return false;",
    mutator: "literal",
    why: SPARES,
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "for (const number of numbers) set[number >>> 5] = (set[number >>> 5] ?? 0) | (1 << (number & 31));",
    mutator: "fallback dropped",
    why: NO_BITS,
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "export const contains = (set: NumberSet, number: number): boolean => ((set[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0;",
    mutator: "fallback dropped",
    why: NO_BITS,
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "for (let word = 0; word < others.length; word++) if (((others[word] ?? 0) & ~(set[word] ?? 0)) !== 0) return false;",
    mutator: "literal",
    becomes: "for (let word = 0; word < others.length; word++) if (((others[word] ?? 1) & ~(set[word] ?? 0)) !== 0) return false;",
    why: "No word up to the length is missing; the types want a number.",
  },
  {
    file: "lib/event/columns.ts",
    line: '{ name: "properties", kind: "text", unique: true, of: (row) => row.properties },',
    mutator: "literal",
    why: SPARES,
  },
  {
    file: "lib/event/identity.ts",
    line: "const MOST_TIME_MS = 2 ** 48 - 1;",
    mutator: "literal",
    why: "No time that is read is later than the year 9999, which is less.",
  },
  {
    file: "lib/event/payload.ts",
    line: "const saidLength = (bytes: Uint8Array): number => {",
    mutator: "function emptied",
    why: "The decoder then takes pieces of its own size, of which more are needed.",
  },
  {
    file: "lib/event/usage/marks.ts",
    line: "const hundredThousandths = (usd: number): number => (usd > 0 && usd <= MAX_COST ? Math.floor(Number((usd * 10 ** DIGITS).toFixed(3))) : 0);",
    mutator: "boundary",
    becomes:
      "const hundredThousandths = (usd: number): number => (usd > 0 && usd < MAX_COST ? Math.floor(Number((usd * 10 ** DIGITS).toFixed(3))) : 0);",
    why: EQUAL,
  },
  {
    file: "lib/event/usage/marks.ts",
    line: `return properties.includes('"ai_product"') ? generationMark(fieldsOf(properties)) : undefined;`,
    mutator: "condition",
    becomes: "return true ? generationMark(fieldsOf(properties)) : undefined;",
    why: SPARES,
  },
  { file: "functions/ingest/known-types.ts", line: "const LEAST_NAMES = 10;", mutator: "literal", why: ABOUT },
  {
    file: "lib/engine/storage/compared-pairs.ts",
    line: "if (number !== undefined) segments.get(segment)?.rows.set(number, rows);",
    mutator: "condition",
    becomes: "if (true) segments.get(segment)?.rows.set(number, rows);",
    why: "What is found is of files that were asked for, and these have numbers; the types do not say so.",
  },
  {
    file: "lib/engine/storage/compare-rows.ts",
    line: "const MAX_NAMED = 2_000;",
    mutator: "literal",
    why: "Naming the hashes spares decoding rows; compared are the rows themselves.",
  },
  {
    file: "lib/engine/storage/merge-pieces.ts",
    line: "pieces.push(...(part.plainBytes > sizes.fileBytes ? await split(database, rows, part, sizes, others) : [part]));",
    mutator: "boundary",
    why: EQUAL,
  },
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
    file: "lib/lake/compaction/due-entries.ts",
    line: "taken.set(shard, (taken.get(shard) ?? 0) + items.length);",
    mutator: "statement left out",
    why: ABOUT,
  },
  {
    file: "lib/lake/compaction/layout.ts",
    line: "if (last.length > 0 && rowsOf(together) <= policy.fileRows && weightOf(together) <= policy.fileBytes) last.push(file);",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/lake/compaction/sweep-place.ts",
    line: "await table.put({ ...KEY, v: PLACE_FORMAT, ...next });",
    mutator: "not awaited",
    why: "Where it is not written, the next sweep begins where this one did.",
  },
  {
    file: "lib/lake/compaction/tier.ts",
    line: "let upTo = 0;",
    mutator: "literal",
    why: "Only differences of it are asked for.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "for (let i = start; i < end; i++) bytes += 4 + (values[i]?.length ?? 0);",
    mutator: "loop ended after its first turn",
    why: "A first guess at a buffer that grows.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "const most = at + 4 + text.length * 3;",
    mutator: "literal",
    becomes: "const most = at + 4 + text.length * 4;",
    why: "A buffer that grows a little earlier.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "if (present > DICTIONARY_TRIAL_ROWS && entries.length * 2 > present) return undefined;",
    mutator: "literal",
    why: "Where a dictionary ceases to be worth its while is a matter of taste.",
  },
  {
    file: "lib/lake/parquet/parquet.ts",
    line: "const options = { params, chunkSize: Math.max(1_024, (bytes.length >> 1) + 512), pledgedSrcSize: bytes.length };",
    mutator: "first or last",
    why: "The compressor then hands out more and smaller pieces.",
  },
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
    file: "lib/lake/persons/person-log.ts",
    line: "targets: b.targets.length === 0 ? a.targets : [...new Set([...a.targets, ...b.targets])].sort(),",
    mutator: "sort direction",
    why: "In the one order or in the other: they are a set.",
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
    file: "lib/lake/property-types/remembered-types.ts",
    line: "const asked = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);",
    mutator: "boundary",
    why: "No two answers have one name.",
  },
  {
    file: "lib/lake/usage/recount.ts",
    line: "const isRead = overlap(file.days, [day, day]) && rows + file.rows <= mostRows;",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/lake/intake/distinct-rows.ts",
    line: "const known = place === undefined ? undefined : sameIdentity(kept, [place, ...collided], row);",
    mutator: "condition",
    becomes: "const known = false ? undefined : sameIdentity(kept, [place, ...collided], row);",
    why: "No row that was kept has the hash of one without a place: looking for it finds nothing, only later.",
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
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "const larger = Buffer.allocUnsafe(Math.max(needed, buffer.length * 2));",
    mutator: "arithmetic",
    why: "The buffer grows more often, and is as large as it has to be.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "for (let digit = 0; digit < 16; digit++) {",
    mutator: "literal",
    becomes: "for (let digit = 1; digit < 16; digit++) {",
    why: "The place of the digit 0 holds 0 from the start.",
  },
  {
    file: "lib/lake/parquet/parquet-pages.ts",
    line: "bytes[at++] = ((HEX[text.charCodeAt(from)] ?? 0) << 4) | (HEX[text.charCodeAt(from + 1)] ?? 0);",
    mutator: "literal",
    why: "Every character of a UUID is in the table; the types do not say so.",
  },
  {
    file: "lib/event/payload.ts",
    line: "const LIKELY_RATIO = 12;",
    mutator: "literal",
    why: "A guess of how large the text will be: another one takes more or fewer pieces to decompress it.",
  },
  {
    file: "lib/event/payload.ts",
    line: "Math.max(Math.min(wanted, byteLength * LIKELY_RATIO, MAX_CHUNK_BYTES), MIN_CHUNK_BYTES);",
    mutator: "first or last",
    why: "A guess of how large the text will be: another one takes more or fewer pieces to decompress it.",
  },
  {
    file: "lib/lake/persons/person-log.ts",
    line: "ops.length === 0 ? NO_OPS : withoutDead(withoutRepeatedMerges(inOrder(ops)));",
    mutator: "condition",
    becomes: "false ? NO_OPS : withoutDead(withoutRepeatedMerges(inOrder(ops)));",
    why: "Of no operations the rest makes an empty list, too: another one for each id.",
  },
  {
    file: "lib/lake/intake/rows.ts",
    line: 'const distinctId = distinctIdOf(raw) ?? "";',
    mutator: "fallback dropped",
    why: "Capture refuses an event without a distinct_id.",
  },
  {
    file: "lib/lake/persons/state-files.ts",
    line: "const weightOf = ({ rows, bytes }: StateFile): number => 150 * rows + 6 * bytes;",
    mutator: "literal",
    why: ABOUT,
  },
  {
    file: "lib/lake/parquet/segment.ts",
    line: "if (same.length > 1) same.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));",
    mutator: "condition",
    becomes: "if (true) same.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));",
    why: "One row is sorted as it stands.",
  },
  {
    file: "lib/event/distinct-id.ts",
    line: "if (clean.length <= MAX_CHARACTERS) return clean;",
    mutator: "condition",
    becomes: "if (false) return clean;",
    why: "A short text is given back by what cuts long ones, too, only later.",
  },
  {
    file: "lib/engine/storage/merge.ts",
    line: "await database.copy(",
    mutator: "not awaited",
    why: "Statements of a connection run one after another: what reads the file waits for it, and fails where it was not written.",
  },
  {
    file: "lib/lake/compaction/sweep-project.ts",
    line: 'await asking.ask([...uncounted].map((partition) => ({ job: { v: JOB_FORMAT, kind: "usage", project, partition } })));',
    mutator: "not awaited",
    why: "The commit stays until its rows are counted, and the next sweep asks again.",
  },
  {
    file: "lib/engine/storage/merge-pieces.ts",
    line: "const sum = (days: readonly Piece[]): number => days.reduce((total, { plainBytes }) => total + plainBytes, 0);",
    mutator: "literal",
    why: EQUAL,
  },
  {
    file: "lib/engine/storage/merge-pieces.ts",
    line: "if (last && last.rows + day.rows <= mostRows && last.plainBytes + day.plainBytes <= mostBytes)",
    mutator: "boundary",
    why: EQUAL,
  },
  {
    file: "lib/engine/storage/compare-rows.ts",
    line: "files.filter((_, at) => places.has(at));",
    mutator: "step left out",
    why: "Files whose hashes meet none are read, too, and share no row.",
  },
  {
    file: "lib/engine/storage/number-set.ts",
    line: "for (let word = 0; word < others.length; word++) if (((others[word] ?? 0) & ~(set[word] ?? 0)) !== 0) return false;",
    mutator: "fallback dropped",
    why: "Where there is no number, the operators on bits take 0.",
  },
  {
    file: "lib/event/identity.ts",
    line: "return WHOLE[0] ?? 0n;",
    mutator: "fallback dropped",
    why: "The one place of the list is there.",
  },
  {
    file: "lib/lake/catalogue/commits.ts",
    line: "export const commitBytes = (item: Item): number => (item.body instanceof Uint8Array ? item.body.length : 0) + 250;",
    mutator: "condition",
    becomes: "export const commitBytes = (item: Item): number => (true ? item.body.length : 0) + 250;",
    why: "The item of a commit has a body; the types do not say so.",
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
    file: "lib/lake/compaction/compact.ts",
    line: "for (let attempt = 1; attempt <= TRIES; attempt += 1) {",
    mutator: "boundary",
    why: TRIED,
  },
  {
    file: "lib/lake/compaction/rewrite.ts",
    line: 'files: step.into === "files" ? [...files, ...written].sort((a, b) => a.days[0] - b.days[0]) : files,',
    mutator: "sort direction",
    why: "Files of neighbouring days are put together, and stand beside each other either way.",
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
    file: "lib/lake/persons/person-log.ts",
    line: "logs.set(id, { seen, ops: live(ops), targets: targets ? [...targets].sort() : NOBODY });",
    mutator: "sort direction",
    why: "A set, whose order nobody looks at; joining sorts it again.",
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
    file: "lib/lake/persons/person-replay.ts",
    line: "return last ?? createdAt;",
    mutator: "fallback dropped",
    why: "Every person has an id that was seen: an operation belongs to an event, and its id is seen with it.",
  },
  {
    file: "lib/lake/persons/stored-deltas.ts",
    line: "const MOST_INLINE_ENTRIES = MOST_INLINE / 50;",
    mutator: "arithmetic",
    why: "It spares writing as text what is too long for it anyway.",
  },
];
