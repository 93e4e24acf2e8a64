import { createHash } from "node:crypto";
import type { Copy } from "../model/copies.ts";
import { groupsOf, storedProperties } from "../model/groups.ts";
import { isObject, readJson, sorted, written } from "../model/json.ts";
import { personsOf } from "../model/persons.ts";
import { spokenTypesOf } from "../model/types.ts";
import { usageOf } from "../model/usage.ts";
import { eventually } from "../support/processes/platform.ts";
import type { Proved, Row } from "./platform.ts";
import { digest, type Record } from "./record.ts";
import { GROUP_TYPES, type Traffic } from "./traffic.ts";

/** An event that stayed, without the large text inside, and what the platform says of it. */
interface Stayed {
  readonly copy: Copy;
  readonly uuid: string;
  readonly personId: string;
}

const PAGE = 20_000;
/** Compaction comes after the last event. */
const SETTLED_WITHIN = { budgetMs: 300_000, everyMs: 2_000 };

/**
 * Compares everything that the platform shows with what the model says; throws the first difference. Of the requests `taken`, all of them
 * where nothing is said, every event has to be there; of others that were sent some may be.
 */
export const compareAll = async (
  proved: Proved,
  record: Record,
  traffic: Traffic,
  say: (line: string) => void,
  taken: readonly number[] = Array.from({ length: traffic.requests }, (_, number) => number),
): Promise<void> => {
  if (!saved.has(proved))
    for (const [name, query] of Object.entries({ rows: ROWS, persons: PERSONS, ids: IDS, groups: GROUPS })) await proved.save(name, query);
  saved.add(proved);
  const stayed = await stayedRows(proved, record);
  checkComplete(record, traffic, taken, stayed);
  say(`rows: ${stayed.length} events are equal, each once`);
  const copies = stayed.map(({ copy }) => copy);
  const counted = yearly(usageOf([...copies, ...recordedSessions(record, traffic, taken)]));
  await eventually(() => compareUsage(proved, counted, say), SETTLED_WITHIN);
  // Whose a row is may change until compaction has dropped all copies.
  await eventually(async () => comparePeople(proved, await stayedRows(proved, record), say), SETTLED_WITHIN);
  await compareTypes(proved, copies, say);
};

const ROWS = `SELECT toString(uuid) AS id, event, distinct_id, toUnixTimestamp64Micro(timestamp) AS time,
  toUnixTimestamp64Micro(created_at) AS received, person_mode, toString(person_id) AS person,
  JSONExtractString(properties, 'n') AS n, MD5(toString(properties)) AS digest FROM events ORDER BY id, time`;

const stayedRows = async (proved: Proved, record: Record): Promise<readonly Stayed[]> => {
  const byRequest = Map.groupBy(await allRows(proved, "rows"), (row) => Number(String(row[7]).split(":")[0]));
  const stayed: Stayed[] = [];
  for (const [number, rows] of byRequest) {
    const deliveries = Map.groupBy(rows, (row) => BigInt(Number(row[4])));
    for (const [received, own] of deliveries) {
      const copies = new Map(record.copiesOf(number, received).map((copy) => [copy.index, copy]));
      for (const row of own) stayed.push(stayedOf(row, copies.get(Number(String(row[7]).split(":")[1]))));
    }
  }
  return stayed;
};

const stayedOf = (row: Row, copy: Copy | undefined): Stayed => {
  const [id, event, distinctId, time, , mode, personId, n, md5] = row.map(String);
  if (copy === undefined || id === undefined || personId === undefined) throw new Error(`nobody sent the event ${n}`);
  const properties = storedProperties(copy, GROUP_TYPES);
  const said = { event, distinctId, time, isPersonal: mode !== "propertyless", md5: md5?.toLowerCase(), uuid: copy.uuid && id };
  const sent = {
    event: copy.event,
    distinctId: copy.distinctId,
    time: String(copy.time),
    isPersonal: copy.isPersonal,
    md5: createHash("md5")
      .update(written(inOrder(properties)))
      .digest("hex"),
    uuid: copy.uuid,
  };
  checkEqual(`event ${n}`, Object.entries(said), Object.entries(sent));
  if (copy.uuidMs !== null && Number.parseInt(id.replace("-", "").slice(0, 12), 16) !== Number(copy.uuidMs))
    throw new Error(`event ${n} has the uuid ${id}, which is not of ${copy.uuidMs} ms`);
  const { pad: _, ...slim } = copy.properties;
  return { copy: { ...copy, identity: digest(copy.identity), properties: slim }, uuid: id, personId };
};

/** What an exception is told to lack is written last, behind the slots of groups. */
const inOrder = ({ $cymbal_errors: complaint, ...others }: { readonly [name: string]: unknown }): object =>
  complaint === undefined ? others : { ...others, $cymbal_errors: complaint };

/** The sessions that the recorders told of, each once. */
const recordedSessions = (record: Record, traffic: Traffic, taken: readonly number[]): readonly Copy[] => {
  const sessions = new Map<string, Copy>();
  for (const number of taken) {
    if (traffic.of(number).path !== "/s/") continue;
    for (const copies of record.anyCopies(number)) for (const copy of copies) sessions.set(copy.identity, copy);
  }
  return [...sessions.values()];
};

/** What the usage keys of billing are counts of; those of products that nothing is sent for are left out. */
const USAGE_KEYS = {
  events: "event_count",
  exceptions: "exceptions_captured",
  recordings: "recording_count",
  mobile_recordings: "mobile_billable_recording_count",
  survey_responses: "survey_responses_count",
  llm_events: "ai_event_count",
  ai_credits: "ai_credits_used",
} as const;

/** The operator and the customer see the same, and it is what was sent. */
const compareUsage = async (proved: Proved, counted: ReadonlyMap<string, number>, say: (line: string) => void): Promise<void> => {
  const said = await proved.usage();
  checkEqual("usage", [...said], [...counted]);
  const { from, days, period } = await proved.billed();
  const live = [...counted].filter(([name]) => !name.includes("historical:") && Number(name.split(" ")[0]) >= from);
  checkEqual("usage as billing says it", [...days], live);
  const keys = Object.entries(USAGE_KEYS).filter(([key]) => period.usage.has(key));
  const inPeriod = (type: string): number =>
    live.reduce((sum, [name, count]) => {
      const day = Number(name.split(" ")[0]);
      return name.endsWith(` ${type}_in_period`) && day >= period.from && day < period.before ? sum + count : sum;
    }, 0);
  checkEqual(
    "usage of the billing period",
    keys.map(([key]) => [key, period.usage.get(key)]),
    keys.map(([key, type]) => [key, inPeriod(type)]),
  );
  say(`usage: ${said.size} counts of days and types are equal, and ${keys.length} of the billing period`);
};

/** Nothing twice, and of every delivery that was answered each event. */
const checkComplete = (record: Record, traffic: Traffic, taken: readonly number[], stayed: readonly Stayed[]): void => {
  const seen = new Set<string>();
  for (const { copy } of stayed) {
    if (seen.has(copy.identity)) throw new Error(`event ${String(copy.properties.n)} is there twice`);
    seen.add(copy.identity);
  }
  for (const number of taken) {
    if (traffic.of(number).path === "/s/") continue;
    const [first = [], ...others] = record.anyCopies(number);
    for (const [at, copy] of first.entries()) {
      const any = [copy, ...others.flatMap((copies) => copies[at] ?? [])];
      if (!any.some(({ identity }) => seen.has(digest(identity)))) throw new Error(`event ${String(copy.properties.n)} is missing`);
    }
  }
};

const PERSONS = `SELECT toString(id) AS person, toUnixTimestamp64Micro(created_at) AS created, is_identified, toString(properties) AS said
  FROM persons ORDER BY person`;
const IDS = "SELECT distinct_id, toString(person_id) AS person FROM person_distinct_ids ORDER BY distinct_id";
const GROUPS = `SELECT index, key, toUnixTimestamp64Micro(created_at) AS created, toUnixTimestamp64Micro(updated_at) AS updated,
  toString(properties) AS said FROM groups ORDER BY index, key`;
/** Platforms that these queries are saved on. */
const saved = new WeakSet<Proved>();

const comparePeople = async (proved: Proved, stayed: readonly Stayed[], say: (line: string) => void): Promise<void> => {
  const copies = stayed.map(({ copy }) => copy);
  const uuids = new Map(stayed.map(({ copy, uuid }) => [copy.identity, uuid]));
  const uuidOf = (copy: Copy): string => uuids.get(copy.identity) ?? "";

  const owners = new Map((await allRows(proved, "ids")).map(([id, person]) => [String(id), String(person)]));
  const persons = (await allRows(proved, "persons")).map(([id, created, isIdentified, properties]) => {
    return [String(id), [created, isIdentified, parsed(properties)]] as const;
  });
  const expected = personsOf(copies, uuidOf);
  const ownerOf = ({ root }: { readonly root: string }): string => owners.get(root) ?? `nobody, of ${root}`;
  checkEqual(
    "persons",
    persons,
    expected.map((person) => [ownerOf(person), [Number(person.createdAt), person.isIdentified, Object.fromEntries(person.properties)]]),
  );
  checkEqual(
    "distinct_ids",
    [...owners],
    expected.flatMap((person) => [...person.ids].map((id) => [id, ownerOf(person)] as const)),
  );
  for (const { copy, personId } of stayed)
    if (copy.isPersonal && personId !== owners.get(copy.distinctId))
      throw new Error(`event ${String(copy.properties.n)} is of person ${personId}, its id is of ${owners.get(copy.distinctId)}`);
  say(`persons: ${persons.length} with ${owners.size} ids are equal`);

  const groups = (await allRows(proved, "groups")).map(([index, key, created, updated, properties]) => {
    return [`${GROUP_TYPES[Number(index)]} ${String(key)}`, [created, updated, parsed(properties)]] as const;
  });
  const known = groupsOf(copies, uuidOf);
  checkEqual(
    "groups",
    groups,
    known.map((group) => [`${group.type} ${group.key}`, [Number(group.createdAt), Number(group.updatedAt), group.properties]]),
  );
  say(`groups: ${groups.length} are equal`);
};

/** Names of types as columns of a result have them. A property that is text at once is so for ever. */
const COLUMN_TYPES: Readonly<{ [type: string]: string }> = { String: "string", Numeric: "float", Boolean: "boolean", DateTime: "datetime" };
const TYPED = ["n", "pad", "amount", "order", "$group_type"];

/** What is saved keeps its types, so they are asked for anew each time. */
let typesSaved = 0;

const compareTypes = async (proved: Proved, copies: readonly Copy[], say: (line: string) => void): Promise<void> => {
  const columns = TYPED.map((name, at) => `properties.${name} AS column_${at}`);
  typesSaved += 1;
  const types = await proved.save(`types-${typesSaved}`, `SELECT ${columns.join(", ")} FROM events`);
  const spoken = spokenTypesOf(copies, GROUP_TYPES);
  // Values that speak for several types are so many here that they are text.
  const known = (name: string): string => {
    const [type, ...others] = spoken.get(`event ${name}`) ?? [];
    return type === undefined || others.length > 0 ? "String" : type;
  };
  checkEqual(
    "types of properties",
    TYPED.map((name, at) => [name, types[at]]),
    TYPED.map((name) => [name, COLUMN_TYPES[name === "pad" ? "String" : known(name)]]),
  );
  say(`types: those of ${TYPED.length} properties are equal`);
};

const allRows = async (proved: Proved, name: string): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await proved.run(name, { limit: PAGE, offset });
    if (page === undefined) throw new Error("the platform is down");
    for (const row of page) rows.push(row);
    if (page.length < PAGE) return rows;
  }
};

const parsed = (value: unknown): unknown => (typeof value === "string" ? readJson(value) : value);

/** Days before 2015 are counted under the first day of their year. */
const FIRST_OWN_DAY = Date.UTC(2015, 0) / 86_400_000;
const yearly = (usage: ReadonlyMap<string, number>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const [name, count] of usage) {
    const [day = "", type] = name.split(" ");
    const own = Number(day) >= FIRST_OWN_DAY ? Number(day) : Date.UTC(new Date(Number(day) * 86_400_000).getUTCFullYear(), 0) / 86_400_000;
    counts.set(`${own} ${type}`, (counts.get(`${own} ${type}`) ?? 0) + count);
  }
  return counts;
};

type Entries = readonly (readonly [string, unknown])[];

const checkEqual = (what: string, said: Entries, expected: Entries): void => {
  const [shown, wanted] = [new Map(said), new Map(expected)];
  if (shown.size !== said.length) throw new Error(`${what}: one of ${said.length} is there twice`);
  for (const name of [...wanted.keys(), ...shown.keys()]) {
    const [is, should] = [shown.get(name), wanted.get(name)].map((value) =>
      isObject(value) || Array.isArray(value) ? sorted(value) : value,
    );
    if (is !== should) throw new Error(`${what}, ${name}: shown is ${String(is)}, the model says ${String(should)}`);
  }
};
