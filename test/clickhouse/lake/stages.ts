import { createHash } from "node:crypto";
import { exactJson } from "../../../lib/core/exact-json.ts";
import type { EarnedProperty } from "../../../lib/event/earned-properties.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import type { Fields } from "../../../lib/event/fields.ts";
import { hotValues } from "../../../lib/event/hot-properties.ts";
import { derivePersonId } from "../../../lib/event/identity.ts";
import type { RowChange, RowChanges } from "../../../lib/lake/rows.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { PROJECT, type Project } from "../project.ts";
import { type Random, randomOf } from "../random.ts";
import type { LakeWorld } from "./lake-world.ts";

/** A state of the lake to ask both engines of. */
export interface Stage {
  readonly name: string;
  readonly reach: (world: LakeWorld) => Promise<void>;
}

/** The ways of a project's rows through the lake, one after the other; all of its rows are there from the third stage on. */
export const stagesOf = (project: Project): readonly Stage[] => {
  const random = randomOf(33);
  const all = shuffled([...project.events, ...generations], random);
  const early = all.slice(0, Math.floor(all.length * 0.8));
  const late = all.slice(early.length);
  const changes = changesOf(project, all);
  const commit = async (world: LakeWorld, rows: readonly EventRow[]): Promise<void> => {
    for (let from = 0; from < rows.length; from += DRAIN) {
      const some = rows.slice(from, from + DRAIN);
      // Copies of rows that are there already come again, of this drain and of others.
      const copies = shuffled(rows, random)
        .slice(0, DRAIN / 10)
        .map(again);
      const drained = [...some, ...copies];
      await world.commit(drained, new Map(drained.flatMap((row) => changeOf(changes, row))));
    }
  };
  return [
    { name: "all of it waits", reach: (world) => commit(world, early) },
    { name: "rows are gathered, changes of persons wait", reach: (world) => world.compact() },
    {
      name: "persons are folded; late rows, new merges and many copies wait",
      async reach(world) {
        await world.fold();
        await commit(world, late);
        await world.commit(early.map(again));
      },
    },
    {
      name: "all of it is gathered and folded in layers, some of it with columns that properties have earned, and some more waits",
      async reach(world) {
        await world.earn(EARNED);
        await world.compact();
        await world.fold();
        await commit(world, shuffled(late, random).slice(0, DRAIN).map(again));
      },
    },
  ];
};

const DRAIN = 900;

/** Of properties that the corpus reads as texts, numbers, booleans and times; others that it reads have no column. */
export const EARNED: readonly EarnedProperty[] = [
  ...["plan", "active", "renews_at", "odd"].map((property) => ({ property, type: "text" }) as const),
  ...["amount", "odd"].map((property) => ({ property, type: "number" }) as const),
  ...["country", "email", "joined"].map((property) => ({ owner: "person", property, type: "text" }) as const),
  ...["name", "employees"].map((property) => ({ owner: "group", property, type: "text" }) as const),
];

const again = (row: EventRow): EventRow => ({ ...row, created_at: row.created_at + 1_000_000n, request: "f".repeat(32) });

const shuffled = <T>(items: readonly T[], random: Random): readonly T[] => {
  const left = [...items];
  return items.map(() => {
    const at = random.below(left.length);
    const [item] = left.splice(at, 1);
    if (item === undefined) throw new RangeError("there is nothing left");
    return item;
  });
};

const uuid = (seed: string): string => {
  const hash = createHash("sha1").update(seed).digest("hex");
  return `0190a1b2-c3d4-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
};

const rowOf = (event: string, who: string, timestamp: bigint, properties: Record<string, unknown>): EventRow =>
  anEventRow({
    uuid: uuid(`${event} ${who} ${timestamp}`),
    event,
    distinct_id: who,
    person_id: derivePersonId(PROJECT, who),
    timestamp,
    created_at: 1_780_000_000_000_000n,
    properties: JSON.stringify(properties),
    hot: hotValues(properties),
  });

/** Their columns are in no file of other events. */
const generations = Array.from({ length: 40 }, (_, at) =>
  rowOf("$ai_generation", `u${String(1 + (at % 9)).padStart(2, "0")}`, 1_779_000_000_000_000n + BigInt(at) * 3_600_000_000n, {
    ai_product: at % 3 === 0 ? "assistant" : "",
    $ai_model: "m1",
    $ai_input_tokens: at * 7,
    $ai_total_cost_usd: at / 64,
    $ai_trace_id: `t${at % 5}`,
  }),
);

/** Exceptions of three issues, and some that have none. */
export const exceptionRows = Array.from({ length: 40 }, (_, at) =>
  rowOf("$exception", `u${String(1 + (at % 9)).padStart(2, "0")}`, 1_779_500_000_000_000n + BigInt(at) * 3_600_000_000n, {
    $exception_issue_id: at % 4 === 0 ? "" : `00000000-0000-7000-8000-00000000000${at % 4}`,
    $exception_fingerprint: at % 4 === 0 ? null : `print ${at % 8}`,
  }),
);

/** The ends of what can be stored, and what lies about 1970. */
export const oddRows = [
  -62_167_219_199_500_000n,
  -2_208_988_800_000_001n,
  -500_000n,
  -1n,
  5_700_000_000_000_000n,
  253_402_300_799_999_999n,
].map((timestamp) => rowOf("odd", "time traveller", timestamp, { at: String(timestamp) }));

/** Values of every kind, as JSON has them, and texts that some reader takes for a number. */
const VALUES = [
  ...[
    '""',
    '"a\\"b"',
    '"\\n"',
    '"null"',
    '"{}"',
    '"日本"',
    "0",
    "-0",
    "1.5",
    "1e21",
    "5e-324",
    "12345678901234567",
    "true",
    "false",
    "null",
  ],
  ...["{}", "[]", '{"a":[1,"x",null]}', '"nan"', '"inf"', '"-Infinity"', '" 5"', '"5 "', '"1_000"', '"0x1F"', '"1e5"', '"1e400"', '"+7"'],
  ...[
    '".5"',
    '"5."',
    '"-"',
    '"1,5"',
    '"true"',
    '"1"',
    '"2026-01-01"',
    '"2026-01-01T10:00:00Z"',
    '"infinity"',
    '"NaN"',
    '"--1"',
    '"+inf"',
    '" inf"',
  ],
  ...[
    '"1_0"',
    '"1_2_3_4"',
    '"1__0"',
    '"1_"',
    '"_1"',
    '"1_.5"',
    '"1._5"',
    '"1.5_5"',
    '"1e1_0"',
    '"1_e5"',
    '"\\u000b5"',
    '"\\u00a05"',
    '"5 5"',
  ],
  ...['"1e"', '"5d"', '"1e-400"', '"\\t\\r\\n5\\f"', '" "', '"e5"', '"0b1"', '"１"', '"1e+5"', '"00012"', '"-.5"', '"- 5"', '"+-5"'],
];

export const valuedRows = VALUES.map((value, at) => ({
  ...rowOf("valued", "collector", 1_779_100_000_000_000n + BigInt(at), {}),
  properties: `{"odd":${value}}`,
}));

/** Documents with whole numbers at the ends of 64 bits and beyond, and with texts that look like them. */
const BIG_DOCUMENTS = [
  ...["18446744073709551615", "18446744073709551616", "-9223372036854775808", "-9223372036854775809", "100000000000000000000"],
  ...["123456789012345678901234567890", "1e22", "[100000000000000000000]", '{"a":[1,{"b":-18446744073709551616}]}'],
  ...['"100000000000000000000"', '"\\"18446744073709551616,\\\\"', "[1,18446744073709551616,18446744073709551615,18446744073709551616]"],
].map((value, at) => `{"big":${value},"18446744073709551616":"key","text":"a \\"-18446744073709551616\\" \\u0001","number":${at}.5}`);

export const bigRows = BIG_DOCUMENTS.map((properties, at) => ({
  ...rowOf("big", `big ${at}`, 1_779_200_000_000_000n + BigInt(at), {}),
  properties,
}));

/** Persons and groups that have these documents. */
export const bigChanges: RowChanges = new Map(
  bigRows.map((row, at) => {
    const set = exactJson(row.properties) as Fields;
    return [row, { person: { merge: null, set, setOnce: null, unset: null }, group: { slot: 3, key: `big ${at}`, set } }];
  }),
);

/** By uuid: what the event of a row changes, so that persons and groups are about those of the project. */
const changesOf = ({ persons, distinctIds, groups }: Project, rows: readonly EventRow[]): ReadonlyMap<string, RowChange> => {
  const changes = new Map<string, RowChange>();
  const change = (who: string | undefined, made: RowChange): void => {
    const row = rows.find(({ distinct_id, uuid: own }) => distinct_id === who && !changes.has(own));
    if (row !== undefined) changes.set(row.uuid, made);
  };
  const nothing = { merge: null, set: null, setOnce: null, unset: null };
  for (const { person_id, properties, is_identified } of persons) {
    const [main, other] = distinctIds.filter((one) => one.person_id === person_id).map(({ distinct_id }) => distinct_id);
    if (is_identified) change(main, { person: { ...nothing, set: JSON.parse(properties), unset: ["nobody"] }, group: null });
    else change(main, { person: { ...nothing, setOnce: JSON.parse(properties) }, group: null });
    if (other !== undefined) change(main, { person: { ...nothing, merge: { kind: "identify", source: other } }, group: null });
  }
  // Persons whom the project does not know are told apart as those are that it knows.
  const known = new Set(distinctIds.map(({ distinct_id }) => distinct_id));
  for (const who of new Set(rows.map(({ distinct_id }) => distinct_id)))
    if (!known.has(who)) change(who, { person: { ...nothing, set: { email: `${who}@nowhere.example` } }, group: null });
  for (const { index, key, properties } of groups)
    change(distinctIds[index * 2 + key.length]?.distinct_id, { person: null, group: { slot: index, key, set: JSON.parse(properties) } });
  return changes;
};

const changeOf = (changes: ReadonlyMap<string, RowChange>, row: EventRow): readonly (readonly [EventRow, RowChange])[] => {
  const change = changes.get(row.uuid);
  return change === undefined ? [] : [[row, change]];
};
