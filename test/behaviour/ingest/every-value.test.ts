import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { encodeGroupEntries, groupLogs } from "../../../lib/lake/persons/group-log.ts";
import { encodeLog, mergeLogs } from "../../../lib/lake/persons/person-log.ts";
import { replay } from "../../../lib/lake/persons/person-replay.ts";
import { readDeltas } from "../../../lib/lake/persons/stored-deltas.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { aRequest } from "../../support/samples/capture-requests.ts";
import { captureWorld, PROJECT, TOKEN } from "../../support/worlds/capture-world.ts";
import { ingestWorld } from "../../support/worlds/ingest-world.ts";

/** JSON texts of every kind of value: as text, because some of them no program would write that way. */
const PLAIN: readonly string[] = [
  ...["null", "true", "false", "0", "-0", "1", "-1", "0.5", "1e21", "1e400", "-1e400", "9007199254740993", "-62167219200001"],
  ...["12345678901234567891", "-0.12345678901234567891", "5.00000000000000000001", "9".repeat(400), "1234567890123456e400"],
  ...['""', '" "', '"text"', '"2026-01-12T11:00:00Z"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"__proto__"', `"${"x".repeat(5_000)}"`],
  ...[
    "[]",
    "[null]",
    '["a",1,null,{"toString":1}]',
    "[[[[]]]]",
    "{}",
    '{"":""}',
    '{"a":{"b":[1]}}',
    `${"[".repeat(100)}1${"]".repeat(100)}`,
  ],
];

/** Names that an object of the language has, too, and some that rules read. */
const NAMES = ["toString", "valueOf", "toJSON", "constructor", "__proto__", "then", "length", "hasOwnProperty", "\\ud800", "$set", "a"];

const INSIDE = ["null", "1", '"text"', "[]", "{}", '{"toString":1}', "true"];

const VALUES: readonly string[] = [...PLAIN, ...NAMES.flatMap((name) => INSIDE.map((value) => `{"${name}":${value}}`))];

const FIELDS = [
  ...["event", "distinct_id", "$distinct_id", "uuid", "properties", "timestamp", "offset", "token", "$token", "api_key"],
  ...["$set", "$set_once", "$unset", "$groups", "type", "toString", "__proto__", "constructor"],
];
const PROPERTIES = [
  ...["distinct_id", "token", "alias", "$anon_distinct_id", "$set", "$set_once", "$unset", "$groups", "$group_0", "$group_type"],
  ...["$group_key", "$group_set", "$process_person_profile", "$ignore_sent_at", "$cookieless_mode", "$product_tour_id"],
  ...["$session_id", "$window_id", "$elements_chain", "$current_url", "$browser", "$ai_total_cost_usd", "$feature/x", "utm_source"],
  ...["plain", "toString", "toJSON", "__proto__", "constructor", "then", "length", "hasOwnProperty"],
];
const EVENTS = ["clicked", "$identify", "$create_alias", "$merge_dangerously", "$groupidentify", "$exception", "survey sent", "$set"];

/** What each event has, so that its rules are reached: last wins where the value comes at the same name. */
const USUAL = '"alias":"b","$anon_distinct_id":"c","$group_type":"company","$group_key":"acme","$group_set":{"seats":1}';

const envelope = (event: string, more = ""): string => `{"api_key":"${TOKEN}","batch":[${event}]${more}}`;

/** A place that ingest reads: a request with a value in it. */
interface Place {
  readonly name: string;
  request(value: string): string;
}

const PLACES: readonly Place[] = [
  ...FIELDS.flatMap((field) =>
    ["clicked", "$create_alias"].map((event) => ({
      name: `the event's ${field} (${event})`,
      request: (value: string) => envelope(`{"event":"${event}","distinct_id":"ann","properties":{${USUAL}},"${field}":${value}}`),
    })),
  ),
  ...PROPERTIES.flatMap((property) =>
    EVENTS.map((event) => ({
      name: `the property ${property} of ${event}`,
      request: (value: string) => envelope(`{"event":"${event}","distinct_id":"ann","properties":{${USUAL},"${property}":${value}}}`),
    })),
  ),
  ...["$set", "$set_once", "$group_set", "$groups"].flatMap((property) =>
    ["plan", "__proto__", "toJSON"].map((name) => ({
      name: `${name} in ${property}`,
      request: (value: string) =>
        envelope(`{"event":"$groupidentify","distinct_id":"ann","properties":{${USUAL},"${property}":{"${name}":${value}}}},
          {"event":"$identify","distinct_id":"ann","properties":{${USUAL},"${property}":{"${name}":${value}}}}`),
    })),
  ),
  {
    name: "a name in $groups",
    request: (value) =>
      envelope(`{"event":"a","distinct_id":"ann","properties":{"$groups":{${value.startsWith('"') ? value : '"text"'}:"k"}}}`),
  },
  ...["sent_at", "historical_migration"].map((field) => ({
    name: `the envelope's ${field}`,
    request: (value: string) => envelope('{"event":"clicked","distinct_id":"ann"}', `,"${field}":${value}`),
  })),
  ...["timestamp", "$set", "$unset", "properties", "offset", "uuid"].map((field) => ({
    name: `${field} of an imported event without uuid`,
    request: (value: string) =>
      envelope(`{"event":"$set","distinct_id":"ann","${field}":${value}}`, ',"historical_migration":true,"sent_at":"2026-01-12T10:00:00Z"'),
  })),
];

/** Refuses what the deployed table would refuse, or give back changed. */
const strict = (table: Table): Table => ({
  ...table,
  put: async (item, when) => table.put(checked(item), when),
  update: async (key, change, when) => table.update(key, checked(change), when),
});

const checked = <T>(written: T): T => {
  const texts: string[] = [];
  JSON.stringify(written, (_, value) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  if (texts.some((text) => !text.isWellFormed())) throw new Error("an item with half a character");
  if (texts.join("").length > 100_000) throw new Error("an item larger than any should be");
  return written;
};

describe("every value in every place that ingest reads", () => {
  it.each(PLACES)("is refused, or stored with its request: $name", async ({ request }) => {
    const capture = captureWorld();
    for (const value of VALUES) {
      const { status } = await serve(aRequest(request(value)), capture.world);
      expect([status, value]).toEqual([expect.toBeOneOf([200, 400, 401]), value]);
    }
    const { world, table, objects, rows, log } = await ingestWorld([PROJECT], strict);
    for (const lane of ["live", "historical"] as const) {
      const deliveries = capture.queued.flatMap(({ queue, text }, at): Delivery[] =>
        queue === lane ? [{ id: `${lane}-${at}`, body: text, attempts: 1 }] : [],
      );
      const { failed } = await ingest(deliveries, world, { remainingMs: () => 60_000 }, lane);
      expect([failed, log.lines.filter(({ level }) => level === "error")]).toEqual([[], []]);
    }
    const taken = log.lines.map(({ fields }) => ({ events: 0, dropped: 0, rows: 0, ...fields }));
    for (const { events, dropped, rows: stored } of taken) expect(stored).toBeLessThanOrEqual(events - dropped);
    expect((await rows(PROJECT)).length).toBe(taken.reduce((sum, each) => sum + each.rows, 0));
    for (const { deltas } of await readCommits(table, PROJECT)) {
      const said = await readDeltas(objects, deltas);
      const logs = mergeLogs([said]);
      for (const own of logs.values()) encodeLog(own);
      for (const group of groupLogs(said.groups).values()) encodeGroupEntries(group);
      expect(replay(logs).length).toBeGreaterThan(0);
    }
  });
});
