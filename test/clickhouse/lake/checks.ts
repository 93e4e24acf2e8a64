import type { Engine, Rows } from "../../../lib/engine/engine.ts";
import { GoneFile } from "../../../lib/engine/gone-file.ts";
import { lower, storedColumns } from "../../../lib/hogql/lower.ts";
import type { LowerOptions, PropertyType, StoredTable } from "../../../lib/hogql/options.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { rowList } from "../../../lib/hogql/row-list.ts";
import type { FileFacts, PinnedState } from "../../../lib/lake/catalogue.ts";
import { tableKey } from "../../../lib/lake/paths.ts";
import { GROUP_TYPES, NOW, PROJECT, propertyType } from "../project.ts";
import { sameRows } from "../same.ts";
import type { LakeWorld } from "./lake-world.ts";
import { bigChanges, bigRows, exceptionRows, oddRows, valuedRows } from "./stages.ts";

/** What the corpus does not ask: each gives a sentence for what is not as it should be. */
export type Check = (world: LakeWorld, second: Pick<Engine, "run" | "write">) => Promise<readonly string[]>;

export const OPTIONS: LowerOptions = {
  project: PROJECT,
  timezone: "Europe/Berlin",
  now: NOW,
  variables: {},
  page: null,
  propertyType,
  groupTypes: GROUP_TYPES,
  defaultRows: 10_000,
};

export const LIMITS = { timeMs: 60_000, maxRows: 1_000_000, maxReplyBytes: 50_000_000 };

const query = async (text: string, options: Partial<LowerOptions> = {}) => lower(await parse(text), { ...OPTIONS, ...options }).lowered;

const json = (rows: Rows["rows"]): string => JSON.stringify(rows);

/** Times at the ends of what can be stored are read, compared and shown to the microsecond. */
const times: Check = async (world, second) => {
  await world.commit(oddRows);
  const pinned = await world.pinned();
  const complaints: string[] = [];
  for (const text of [
    "SELECT timestamp, created_at, uuid, distinct_id FROM events WHERE event = 'odd' AND toYear(timestamp) < 9999 ORDER BY timestamp",
    "SELECT min(timestamp), max(timestamp), count() FROM events",
    "SELECT count() FROM events WHERE timestamp < toDateTime('1970-01-01 00:00:00', 'UTC')",
    "SELECT count() FROM events WHERE timestamp > toDateTime('2100-01-01 00:00:00', 'UTC')",
  ]) {
    const asked = await query(text);
    const [ours, theirs] = [(await world.engine.run(asked, pinned, LIMITS)).rows, (await second.run(asked, pinned, LIMITS)).rows];
    if (json(ours) !== json(theirs)) complaints.push(`${text}: ${json(ours)} and ${json(theirs)}`);
  }
  return complaints;
};

/** A property of any value reads the same from the JSON and from the column that it has earned, whichever engine reads it. */
const values: Check = async (world, second) => {
  const complaints: string[] = [];
  const ask = async (type: PropertyType, engine: Pick<Engine, "run">) => {
    const types = { propertyType: () => type, hasEarned: () => true };
    const asked = await query("SELECT uuid, properties.odd FROM events WHERE event = 'valued' ORDER BY timestamp", types);
    return (await engine.run(asked, await world.pinned(), LIMITS)).rows;
  };
  const readings = async (type: PropertyType) => [await ask(type, world.engine), await ask(type, second)] as const;
  const TYPES = ["String", "Numeric", "Boolean", "DateTime"] as const;
  await world.commit(valuedRows);
  const fromJson = new Map<PropertyType, Awaited<ReturnType<typeof readings>>>();
  for (const type of TYPES) fromJson.set(type, await readings(type));
  await world.compact();
  for (const type of TYPES) {
    const [[ours = []] = [], all] = [fromJson.get(type), [...(fromJson.get(type) ?? []), ...(await readings(type))]];
    for (const [at, { properties }] of valuedRows.entries()) {
      const read = all.map((rows) => JSON.stringify(rows[at]?.[1]));
      if (new Set(read).size > 1 || ours.length !== valuedRows.length) complaints.push(`${type} ${properties}: ${read.join(", ")}`);
    }
  }
  return complaints;
};

const BIG_QUERIES = [
  "SELECT properties.big, properties.big.a, properties.text, properties.number, properties.none, properties.`18446744073709551616`, length(properties), properties FROM events WHERE event = 'big' ORDER BY timestamp",
  "SELECT e.properties.big, e.properties FROM (SELECT properties, timestamp AS t FROM events WHERE event = 'big') AS e ORDER BY t",
  "WITH e AS (SELECT * FROM events WHERE event = 'big') SELECT properties.text, properties.big FROM e WHERE properties IN (SELECT properties FROM e) ORDER BY timestamp",
  "WITH a AS (SELECT * FROM events WHERE event = 'big'), b AS (SELECT properties AS p, timestamp FROM a) SELECT p.number, p FROM b ORDER BY timestamp",
  "SELECT e.p.big, e.p.text, n FROM (SELECT properties AS p, count() AS n FROM events WHERE event = 'big' GROUP BY p) AS e ORDER BY e.p.big, e.p",
  "SELECT DISTINCT properties.number, person.properties.big, person.properties.text FROM events WHERE event = 'big' ORDER BY properties.number",
  "SELECT properties.big, properties.text, properties FROM persons WHERE properties.text IS NOT NULL ORDER BY properties.number",
  "SELECT key, properties.big, properties FROM groups WHERE index = 3 AND key LIKE 'big %' ORDER BY key",
] as const;

/** Whole numbers beyond 64 bits, and all else in their documents, are the same whichever engine reads them, waiting, gathered and folded. */
const bigIntegers: Check = async (world, second) => {
  const complaints: string[] = [];
  const compare = async (stage: string, hasEarned: NonNullable<LowerOptions["hasEarned"]>) => {
    const pinned = await world.pinned();
    for (const [text, state] of BIG_QUERIES.flatMap((each) => [[each, pinned] as const, [each, untold(pinned)] as const])) {
      const asked = await query(text, { hasEarned, propertyType: (_, name) => (name === "number" ? "Numeric" : "String") });
      const ours = (await world.engine.run(asked, state, LIMITS)).rows;
      const theirs = (await second.run(asked, state, LIMITS)).rows;
      if (ours.length !== bigRows.length || json(ours) !== json(theirs))
        complaints.push(`${stage}, ${text}: ${json(ours)} and ${json(theirs)}`);
    }
  };
  await world.commit(bigRows.slice(0, 5), bigChanges);
  // Some of its rows are there already.
  await world.commit(bigRows, bigChanges);
  await compare("waiting", () => false);
  await world.compact();
  await world.fold();
  await compare("gathered and folded", () => false);
  await world.earn([
    { property: "big", type: "text" },
    { property: "number", type: "number" },
  ]);
  await compare("with columns that are earned", () => true);
  return complaints;
};

/** The state as the release before told it: nothing is known of the numbers in its files. */
const untold = ({ manifests, waiting, state, ...pinned }: PinnedState): PinnedState => {
  const all = <T extends { readonly bigIntegers?: boolean }>(files: readonly T[]) => files.map(({ bigIntegers: _, ...file }) => file);
  return {
    ...pinned,
    manifests: new Map([...manifests].map(([name, one]) => [name, { ...one, files: all(one.files), loose: all(one.loose) }])),
    waiting: waiting.map((commit) => ({ ...commit, segments: all(commit.segments) })),
    state: state && { ...state, persons: all(state.persons), groups: all(state.groups) },
  };
};

const EVERY_TYPE = `SELECT event, count() AS n, avg(toFloat(properties.amount)) AS a, min(timestamp) AS t, toDate(max(timestamp)) AS d,
 arraySort(groupUniqArray(properties.plan)) AS l, (count(), event) AS tu, toUUID(min(toString(uuid))) AS id, n > 5 AS b, map('x', count()) AS m, cityHash64(event) AS h,
 toDecimal(count(), 2) AS dec, NULL AS nothing, toIntervalDay(count()) AS days, [true] AS bs, (1 = 1, toDate('2020-01-01'), now()) AS t3,
 nullIf(event, 'login') AS maybe
 FROM events WHERE event != 'odd' GROUP BY event ORDER BY event`;

/** A table is of the same types, and says the same, whichever engine wrote and whichever reads it. */
const tables: Check = async (world, second) => {
  const pinned = await world.pinned();
  const tree = await parse(EVERY_TYPE);
  const { lowered } = lower(tree, OPTIONS);
  const columns = storedColumns(tree, OPTIONS);
  const readings: { readonly name: string; readonly types: string; readonly rows: Rows["rows"] }[] = [];
  for (const [writer, engine] of [
    ["embedded", world.engine],
    ["clickhouse", second],
  ] as const) {
    const key = tableKey(PROJECT, "checked", world.ids.ulid());
    const { rows, bytes } = await engine.write(lowered, pinned, { timeMs: LIMITS.timeMs }, key);
    const saved: StoredTable = { key, bytes, columns };
    const names = columns.map((_, at) => `c${at + 1}`);
    const scan = { kind: "table", name: "t", columns: names, key, bytes } as const;
    const described = {
      ...{ project: PROJECT, parameters: [], scans: [scan], columns: [], timezone: "UTC" },
      sql: `SELECT ${names.map((name) => `typeof(${name})`).join(", ")}, (SELECT count(*) FROM t) = ${rows} FROM t LIMIT 1`,
    };
    const types = json((await world.engine.run(described, pinned, LIMITS)).rows);
    const all = await query("SELECT * FROM saved ORDER BY event", { tables: new Map([["saved", saved]]) });
    readings.push({ name: `${writer}, read embedded`, types, rows: (await world.engine.run(all, pinned, LIMITS)).rows });
    readings.push({ name: `${writer}, read by ClickHouse`, types, rows: (await second.run(all, pinned, LIMITS)).rows });
  }
  const [first] = readings;
  return readings
    .filter(({ types, rows }) => types !== first?.types || !sameRows(first.rows, rows, true))
    .map(({ name, types, rows }) => `${name}: ${types} ${json(rows)}, and at first ${first?.types} ${json(first?.rows ?? [])}`);
};

const pairs = (...all: readonly (readonly [string, string])[]) =>
  rowList([
    { name: "source", kind: "text", values: all.map(([source]) => source) },
    { name: "target", kind: "text", values: all.map(([, target]) => target) },
  ]);

const issueId = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`;

const ISSUE_LISTS: Pick<LowerOptions, "moved" | "issues"> = {
  moved: { fingerprints: pairs(["print 3", issueId(1)]), issues: pairs([issueId(2), issueId(1)]) },
  issues: rowList([
    ...["id", "name", "description", "status", "severity", "assignee", "merged_into"].map((name) => ({
      name,
      kind: "text" as const,
      values: name === "id" ? [1, 2, 4].map(issueId) : name === "merged_into" ? [null, issueId(1), null] : ["a'", null, ""],
    })),
    ...["first_seen", "created_at"].map((name) => ({
      name,
      kind: "time" as const,
      values: BigInt64Array.of(1_779_000_000_000_001n, 0n, -1n),
    })),
  ]),
};

/** Where exceptions lead, and the issues as a table, are the same whichever engine reads them, and wherever the files have them. */
const issues: Check = async (world, second) => {
  await world.commit(exceptionRows);
  const pinned = await world.pinned();
  const complaints: string[] = [];
  for (const text of [
    "SELECT issue_id, fingerprint, count(), uniq(person_id) FROM events WHERE event = '$exception' GROUP BY issue_id, fingerprint ORDER BY issue_id, fingerprint",
    "SELECT count() FROM events WHERE issue_id IS NULL",
    "SELECT * FROM error_tracking_issues ORDER BY id",
    "SELECT i.name, i.merged_into, count() AS n FROM events AS e JOIN error_tracking_issues AS i ON i.id = e.issue_id GROUP BY i.name, i.merged_into ORDER BY n",
    "SELECT count() FROM error_tracking_issues AS i LEFT JOIN events AS e ON i.id = e.issue_id",
  ]) {
    for (const lists of [ISSUE_LISTS, {}]) {
      const asked = await query(text, lists);
      const [ours, theirs] = [(await world.engine.run(asked, pinned, LIMITS)).rows, (await second.run(asked, pinned, LIMITS)).rows];
      if (json(ours) !== json(theirs)) complaints.push(`${text}: ${json(ours)} and ${json(theirs)}`);
      else if (ours.length === 0 && lists === ISSUE_LISTS) complaints.push(`${text}: no rows`);
    }
  }
  return complaints;
};

/** A state that names a file that is gone, or more rows than a file has, is no state to answer from. */
const missing: Check = async (world, second) => {
  const pinned = await world.pinned();
  const asked = await query("SELECT count() FROM events");
  const gone = changed(pinned, (file) => ({ ...file, key: file.key.replace(/.\.parquet$/, "_.parquet") }));
  const fewer = changed(pinned, (file) => ({ ...file, rows: file.rows + 1 }));
  const complaints: string[] = [];
  for (const [name, state] of [
    ["a file that is gone", gone],
    ["a row that is missing", fewer],
  ] as const) {
    const outcome = await second.run(asked, state, LIMITS).catch((thrown: unknown) => thrown);
    if (!(outcome instanceof GoneFile)) complaints.push(`${name}: ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`);
  }
  return complaints;
};

/** A state of nothing but a file of the events, which is told otherwise than it is: one that no segment waits beside. */
const changed = ({ project, manifests }: PinnedState, change: (file: FileFacts) => FileFacts): PinnedState => {
  const [entry] = manifests;
  if (entry === undefined) throw new Error("nothing is gathered");
  const [partition, { files, loose, ...manifest }] = entry;
  const told = [...files, ...loose].slice(0, 1).map(change);
  return {
    ...{ project, state: null, waiting: [], waitingDeltas: [], digest: "" },
    manifests: new Map([[partition, { ...manifest, files: told, loose: [] }]]),
  };
};

export const CHECKS: readonly (readonly [name: string, check: Check])[] = [
  ["times", times],
  ["values", values],
  ["big integers", bigIntegers],
  ["tables", tables],
  ["issues", issues],
  ["missing", missing],
];
