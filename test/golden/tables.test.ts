import { describe, expect, it } from "vitest";
import { check } from "../../lib/hogql/lower.ts";
import { parse } from "../../lib/hogql/parse.ts";
import { goldenProject } from "./golden-project.ts";
import { anEvent } from "./project.ts";

const CHAIN = 'button.primary:attr_id="buy"href="/cart"nth-child="1"text="Buy";a:href="/shop"text="Shop"';

const EVENTS = [
  {
    at: "2026-01-01T10:00:00Z",
    session: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
    groups: ["acme"],
    properties: {
      $current_url: "https://a.example/start?utm_source=x",
      $pathname: "/start",
      $host: "a.example",
      $referring_domain: "www.google.com",
      utm_source: "news",
      utm_medium: "email",
      utm_campaign: "spring",
      utm_term: "t",
      utm_content: "c",
      gclid: "g",
      gad_source: "1",
      fbclid: "f",
    },
  },
  {
    at: "2026-01-01T10:01:05Z",
    session: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
    properties: { $current_url: "https://a.example/end", $pathname: "/end", $host: "a.example", $external_click_url: "https://b.example" },
  },
  { at: "2026-01-01T10:01:06Z", event: "$autocapture", who: "bob", properties: {} },
].map((sketch, at) => anEvent(sketch, at + 1));

const golden = goldenProject(EVENTS.map((row, at) => (at === 2 ? { ...row, elements_chain: CHAIN } : row)));

const columnsOf = async (text: string) => (await golden.lowered(text)).columns.map(({ name, type }) => `${name} ${type}`);

describe("events", () => {
  it("have these columns, and SELECT * all but what is joined", async () =>
    expect(await columnsOf("SELECT *, `$session_id_uuid` FROM events")).toEqual([
      "uuid UUID",
      "event String",
      "properties String",
      "timestamp DateTime64(6)",
      "distinct_id String",
      "elements_chain String",
      "created_at DateTime64(6)",
      "$session_id String",
      "$window_id String",
      "person_mode String",
      "$group_0 String",
      "$group_1 String",
      "$group_2 String",
      "$group_3 String",
      "$group_4 String",
      "elements_chain_href String",
      "elements_chain_texts Array(String)",
      "elements_chain_ids Array(String)",
      "elements_chain_elements Array(String)",
      "$session_id_uuid Nullable(UUID)",
    ]));

  it("say what their chain of elements holds", async () => {
    const [row] = await golden.rows(
      "SELECT elements_chain_href, arraySort(elements_chain_texts), elements_chain_ids, arraySort(elements_chain_elements) FROM events WHERE event = '$autocapture'",
    );
    expect(row).toEqual(["/cart", ["Buy", "Shop"], ["buy"], ["a", "button"]]);
  });

  it("lead to their person, group, distinct_id and session", async () => {
    const text =
      "SELECT person.properties.email, person_id = person.id, pdi.distinct_id, pdi.person_id = person_id, pdi.person.properties.age, group_0.key, group_0.index, group_0.properties.plan, toDate(group_0.created_at), group_1.key, session.id, session.duration, session.$session_duration, toString(`$session_id_uuid`) FROM events ORDER BY timestamp LIMIT 1";
    const session = "0190a1b2-c3d4-7e5f-8a9b-000000000001";
    expect(await golden.rows(text)).toEqual([
      ["ann@example.com", true, "ann", true, "41", "acme", 0, "gold", "2026-01-01", null, session, 65, 65, session],
    ]);
  });

  it("reach a group by its type's name, unless that is a name of theirs", async () => {
    const groupTypes = ["organization", "person", "my type"];
    const text = "SELECT organization.properties.name, person.properties.email, `my type`.key FROM events ORDER BY timestamp LIMIT 1";
    expect(await golden.rows(text, { groupTypes })).toEqual([["Acme", "ann@example.com", null]]);
  });
});

describe("persons, their distinct_ids and groups", () => {
  it("have these columns", async () => {
    expect(await columnsOf("SELECT * FROM persons")).toEqual([
      "id UUID",
      "created_at Nullable(DateTime64(6))",
      "properties String",
      "is_identified Bool",
      "last_seen_at Nullable(DateTime64(6))",
    ]);
    expect(await columnsOf("SELECT * FROM person_distinct_ids")).toEqual(["distinct_id String", "person_id UUID"]);
    expect(await columnsOf("SELECT * FROM groups")).toEqual([
      "index Int64",
      "key String",
      "created_at Nullable(DateTime64(6))",
      "updated_at Nullable(DateTime64(6))",
      "properties String",
    ]);
  });

  it("lead to one another", async () => {
    expect(await golden.rows("SELECT properties.email, pdi.distinct_id FROM persons ORDER BY 2")).toEqual([
      ["ann@example.com", "ann"],
      ["ann@example.com", "ann-phone"],
      [null, "bob"],
    ]);
    expect(await golden.rows("SELECT distinct_id, person.properties.age FROM person_distinct_ids ORDER BY 1")).toEqual([
      ["ann", "41"],
      ["ann-phone", "41"],
      ["bob", null],
    ]);
  });
});

describe("sessions", () => {
  const FIELDS: Readonly<Record<string, unknown>> = {
    session_id: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
    id: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
    session_id_v7: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
    session_timestamp: "2026-01-01T10:00:00Z",
    distinct_id: "ann",
    person_id: "00000000-0000-5000-8000-00000000000a",
    $start_timestamp: "2026-01-01T10:00:00Z",
    $end_timestamp: "2026-01-01T10:01:05Z",
    max_inserted_at: "2026-01-01T10:01:06Z",
    $num_uniq_urls: 2,
    $entry_current_url: "https://a.example/start?utm_source=x",
    $entry_pathname: "/start",
    $entry_hostname: "a.example",
    $end_current_url: "https://a.example/end",
    $end_pathname: "/end",
    $end_hostname: "a.example",
    $exit_current_url: "https://a.example/end",
    $exit_pathname: "/end",
    $entry_referring_domain: "www.google.com",
    $last_external_click_url: "https://b.example",
    $entry_utm_source: "news",
    $entry_utm_campaign: "spring",
    $entry_utm_medium: "email",
    $entry_utm_term: "t",
    $entry_utm_content: "c",
    $entry_gclid: "g",
    $entry_gad_source: "1",
    $entry_fbclid: "f",
    $entry_has_gclid: true,
    $entry_has_gad_source: true,
    $entry_has_fbclid: true,
    $pageview_count: 2,
    $autocapture_count: 0,
    $screen_count: 0,
    $channel_type: "Paid Search",
    $session_duration: 65,
    duration: 65,
    $is_bounce: false,
  };

  it("have each of these fields, also seen from an event", async () => {
    const names = Object.keys(FIELDS);
    const quoted = names.map((name) => `\`${name}\``);
    expect(await golden.rows(`SELECT ${quoted.join(", ")} FROM sessions`)).toEqual([Object.values(FIELDS)]);
    const fromEvent = quoted.map((name) => `session.${name}`);
    expect(await golden.rows(`SELECT ${fromEvent.join(", ")} FROM events ORDER BY timestamp LIMIT 1`)).toEqual([Object.values(FIELDS)]);
    expect(await golden.rows("SELECT arraySort($urls) FROM sessions")).toEqual([
      [["https://a.example/end", "https://a.example/start?utm_source=x"]],
    ]);
  });
});

describe("tables of products that are not here", () => {
  it.each(["cohort_people", "static_cohort_people", "session_replay_events", "heatmaps", "log_entries", "app_metrics", "exchange_rate"])(
    "%s is empty",
    async (table) => {
      expect(await golden.rows(`SELECT * FROM ${table}`)).toEqual([]);
      expect(await golden.value(`SELECT count() FROM ${table}`)).toBe(0);
    },
  );

  it("join like others", async () =>
    expect(
      await golden.value(
        "SELECT count() FROM events WHERE person_id IN (SELECT person_id FROM cohort_people WHERE cohort_id = 2) OR person_id NOT IN (SELECT person_id FROM static_cohort_people)",
      ),
    ).toBe(3));
});

describe("an unknown name", () => {
  const refused = async (text: string) => check(await parse(text), { timezone: "UTC" });

  it.each([
    ["SELECT 1 FROM cohort_peple", "unknown_table", "Did you mean `cohort_people`?"],
    ["SELECT 1 FROM session", "unknown_table", "Did you mean `sessions`?"],
    ["SELECT elements_chain_hrefs FROM events", "unknown_field", "Did you mean `elements_chain_href`?"],
    ["SELECT session.$chanel_type FROM events", "unknown_field", "Did you mean `$channel_type`?"],
    ["SELECT person.propertys.a FROM events", "unknown_field", "Did you mean `properties`?"],
    ["SELECT person FROM events", "unknown_field", "is a table"],
  ])("%s is answered with what was meant", async (text, code, words) =>
    expect(refused(text)).rejects.toMatchObject({ code, message: expect.stringContaining(words) }),
  );
});
