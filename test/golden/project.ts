import type { EventRow } from "../../lib/event/event.ts";
import { HOT } from "../../lib/event/hot-properties.ts";
import { anEventRow } from "../support/samples/event-rows.ts";
import type { StateTables } from "./harness.ts";

interface Sketch {
  /** ISO 8601. */
  readonly at: string;
  readonly event?: string;
  readonly who?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly session?: string;
  readonly groups?: readonly (string | null)[];
}

const PERSON_IDS: Readonly<Record<string, string>> = {
  ann: "00000000-0000-5000-8000-00000000000a",
  bob: "00000000-0000-5000-8000-00000000000b",
  cid: "00000000-0000-5000-8000-00000000000c",
  "ann-phone": "00000000-0000-5000-8000-0000000000aa",
};

/** A row as ingest would write it. */
export const anEvent = ({ at, event = "$pageview", who = "ann", properties = {}, session, groups }: Sketch, number = 0): EventRow => {
  const micros = BigInt(Date.parse(at)) * 1000n;
  return anEventRow({
    uuid: `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`,
    event,
    distinct_id: who,
    person_id: PERSON_IDS[who] ?? "00000000-0000-5000-8000-0000000000ff",
    timestamp: micros,
    created_at: micros + 1_000_000n,
    properties: JSON.stringify(properties),
    hot: HOT.map(({ property, type }) => hotValue(properties[property], type)),
    ...(session === undefined ? {} : { session_id: session }),
    ...(groups === undefined ? {} : { groups: [...groups, null, null, null, null, null].slice(0, 5) }),
  });
};

const hotValue = (value: unknown, type: "text" | "number"): string | number | null => {
  if (type === "number") return typeof value === "number" ? value : null;
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
};

/** Nine events of three persons in January 2026; Ann's phone is a second distinct_id of hers. */
export const EVENTS: readonly EventRow[] = [
  {
    at: "2026-01-01T10:00:00Z",
    properties: { $browser: "Chrome", plan: "free", price: 10, $current_url: "https://a.example/" },
    session: "s1",
    groups: ["acme"],
  },
  {
    at: "2026-01-01T10:00:05Z",
    event: "click",
    properties: { $browser: "Chrome", plan: "free", price: 20, ok: true },
    session: "s1",
    groups: ["acme"],
  },
  { at: "2026-01-01T10:20:00Z", properties: { $browser: "Chrome", plan: null, $current_url: "https://a.example/b" }, session: "s1" },
  {
    at: "2026-01-02T23:30:00Z",
    who: "bob",
    properties: { $browser: "Firefox", plan: "", price: "30", "my key": "x" },
    session: "s2",
    groups: ["beta"],
  },
  {
    at: "2026-01-03T00:30:00Z",
    who: "bob",
    event: "click",
    properties: { plan: "pro", price: 2.5, nested: { a: { b: "deep" }, list: [1, 2, 3] } },
  },
  { at: "2026-01-04T12:00:00Z", who: "cid", properties: { $browser: "Safari", tags: ["x", "y"], quote: 'a"b', ok: false } },
  {
    at: "2026-01-05T12:00:00Z",
    who: "ann-phone",
    event: "buy",
    properties: { price: 99.5, when: "2026-02-03 04:05:06", $ai_total_cost_usd: 0.25 },
  },
  { at: "2026-01-10T08:00:00Z", who: "bob", event: "buy", properties: { plan: "pro", price: "n/a" } },
  { at: "2026-01-10T08:00:01Z", who: "bob", event: "it's \\ odd", properties: {} },
].map((sketch, index) => anEvent(sketch, index + 1));

const ANN = PERSON_IDS.ann;
const BOB = PERSON_IDS.bob;

export const STATE: StateTables = {
  persons: `SELECT * FROM (VALUES
    ('${ANN}'::UUID, TIMESTAMPTZ '2026-01-01 10:00:00+00', '{"email":"ann@example.com","age":41}', true, TIMESTAMPTZ '2026-01-05 12:00:00+00'),
    ('${BOB}'::UUID, TIMESTAMPTZ '2026-01-02 23:30:00+00', '{"email":null}', false, TIMESTAMPTZ '2026-01-10 08:00:01+00')
  ) t(person_id, created_at, properties, is_identified, last_seen_at)`,
  person_distinct_ids: `SELECT * FROM (VALUES ('ann', '${ANN}'::UUID), ('ann-phone', '${ANN}'::UUID), ('bob', '${BOB}'::UUID)) t(distinct_id, person_id)`,
  groups: `SELECT * FROM (VALUES
    (0, 'acme', TIMESTAMPTZ '2026-01-01 00:00:00+00', TIMESTAMPTZ '2026-01-01 00:00:00+00', '{"plan":"gold","name":"Acme"}')
  ) t("index", "key", created_at, updated_at, properties)`,
};
