import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { memorySource } from "../../../../test/support/history/memory-source.ts";
import { jsonLines, SHAPES } from "../../../../test/support/history/shapes.ts";
import { openFile } from "../open-file.ts";
import { NoEvent } from "./form.ts";

const OPTIONS = { form: undefined, mapping: undefined, groupType: "company" };

/** What a file is taken for, and what its records say. */
const read = async (content: string | Uint8Array, options: Partial<Parameters<typeof openFile>[1]> = {}) => {
  const file = await openFile(memorySource("file", content), { ...OPTIONS, ...options });
  const said: unknown[] = [];
  for await (const records of file.records({ offset: 0, line: 0 }))
    for (const record of records) said.push(record.said instanceof NoEvent ? record.said.message : record.said);
  return { form: file.form, said };
};

const first = async (shape: keyof typeof SHAPES, number = 0) => (await read(`${JSON.stringify(SHAPES[shape](number))}\n`)).said[0];

test.each([
  ["events", "events"],
  ["posthog export", "posthog"],
  ["posthog api", "posthog"],
  ["mixpanel", "mixpanel"],
  ["amplitude", "amplitude"],
  ["segment", "segment"],
] as const)("records of %s are known as %s, and each has an event, an id and a time", async (shape, form) => {
  const found = await read(jsonLines(SHAPES[shape], 60));
  expect(found.form).toBe(form);
  expect(found.said).toHaveLength(60);
  for (const said of found.said)
    expect(said).toMatchObject({ event: expect.any(String), distinct_id: expect.any(String), timestamp: expect.any(String) });
});

test("an event of our own is taken as it is", async () => {
  expect(await first("events")).toEqual(JSON.parse(JSON.stringify(SHAPES.events(0))));
});

test("an export of PostHog keeps uuid, time and properties, written as an object or as text", async () => {
  const record = { ...SHAPES["posthog export"](1), elements_chain: "a:href=x" };
  const expected = {
    event: "$pageview",
    distinct_id: "user-7",
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    timestamp: "2024-03-01 00:01:07.001000+00:00",
    properties: { $current_url: expect.any(String), $set: { plan: "free" }, $elements_chain: "a:href=x", $ip: "203.0.113.9" },
  };
  const asText = { ...record, properties: '{"$current_url":"u","$set":{"plan":"free"},"n":12345678901234567890}' };
  const { said } = await read(`${JSON.stringify(record)}\n${JSON.stringify(asText)}\n${JSON.stringify({ ...record, properties: "{" })}\n`);
  expect(said[0]).toEqual(expected);
  expect(JSON.stringify(said[1])).toContain('"n":12345678901234567890');
  expect(said[2]).toBe("properties are a text that is no JSON");
});

test("an event of Mixpanel has its time from seconds, its uuid from the insert id, and names of this product", async () => {
  expect(await first("mixpanel", 4)).toEqual({
    event: "$pageview",
    distinct_id: "user-28",
    uuid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    timestamp: "2024-03-01T00:04:28.000Z",
    properties: {
      $browser: "Chrome",
      $browser_version: 95,
      $current_url: "https://shop.example/products/4?from=mail",
      $device_id: "device-28",
      $geoip_city_name: "San Francisco",
      $geoip_country_code: "US",
      $geoip_subdivision_1_name: "California",
      $lib: "web",
      $os: "Mac OS X",
    },
  });
  expect(await first("mixpanel", 4)).toEqual(await first("mixpanel", 4));
});

test("Mixpanel's events of identities join the ids that they name", async () => {
  const lines = [
    { event: "$identify", properties: { time: 1_700_000_000, $insert_id: "a", $identified_id: "ana", $anon_id: "anon-1" } },
    { event: "$merge", properties: { time: 1_700_000_000_000, $insert_id: "b", $distinct_ids: ["ana", "ana-phone"] } },
    { event: "x", properties: { time: "soon", $insert_id: "c" } },
  ];
  const { said } = await read(lines.map((line) => JSON.stringify(line)).join("\n"));
  expect(said).toEqual([
    expect.objectContaining({
      event: "$identify",
      distinct_id: "ana",
      properties: expect.objectContaining({ $anon_distinct_id: "anon-1" }),
    }),
    expect.objectContaining({
      event: "$merge_dangerously",
      distinct_id: "ana",
      timestamp: "2023-11-14T22:13:20.000Z",
      properties: expect.objectContaining({ alias: "ana-phone" }),
    }),
    "properties.time must be a number of seconds or milliseconds",
  ]);
});

test("an event of Amplitude has its user's properties, its groups, and what its fields say", async () => {
  expect(await first("amplitude", 12)).toEqual({
    event: "[Amplitude] Page Viewed".replace("[Amplitude] Page Viewed", "$pageview"),
    distinct_id: "user-84",
    uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    timestamp: "2024-03-01 00:13:24.012000",
    properties: {
      $current_url: "https://shop.example/products/12?from=mail",
      price: 9.5,
      $amplitude_event_id: 12,
      $amplitude_platform: "Web",
      $amplitude_session_id: 1_396_381_378_123,
      $browser: "Chrome",
      $browser_language: "English",
      $browser_version: "95",
      $device_id: "device-84",
      $device_type: "Desktop",
      $geoip_city_name: "San Francisco",
      $geoip_country_name: "United States",
      $geoip_subdivision_1_name: "California",
      $groups: { company: "acme" },
      $ip: "203.0.113.9",
      $lib: "amplitude-ts/1.0.0",
      $os: "Mac OS X",
      $set: { plan: "pro", initial_referrer: "EMPTY" },
    },
  });
  const identify = {
    event_type: "$identify",
    user_id: "ana",
    device_id: "d1",
    event_time: "2024-01-01 00:00:00",
    user_properties: { a: 1 },
  };
  const anonymous = { event_type: "x", user_id: null, device_id: "d1", event_time: "2024-01-01 00:00:00", amplitude_id: 5 };
  const { said } = await read(`${JSON.stringify(identify)}\n${JSON.stringify(anonymous)}\n`);
  expect(said).toEqual([
    expect.objectContaining({ distinct_id: "ana", properties: expect.objectContaining({ $anon_distinct_id: "d1", $set: { a: 1 } }) }),
    expect.objectContaining({ distinct_id: "d1", event: "x" }),
  ]);
});

test("Segment's calls become the events that its library would have sent here", async () => {
  const { said } = await read(jsonLines(SHAPES.segment, 6));
  const context = { $current_url: expect.any(String), $lib: "analytics.js", utm_source: "news", utm_campaign: "spring" };
  const call = (event: string, properties: object) =>
    expect.objectContaining({ event, uuid: expect.any(String), properties: expect.objectContaining({ ...context, ...properties }) });
  expect(said).toEqual([
    call("$identify", { $anon_distinct_id: "device-0", $set: { email: "user-0@example.test", plan: "pro" } }),
    call("$pageview", { name: "Products", $pathname: "/products" }),
    call("$screen", { $screen_name: "Home", tab: 1 }),
    call("$groupidentify", { $group_type: "company", $group_key: "acme", $group_set: { employees: 20 } }),
    call("$create_alias", { alias: "old-user-28" }),
    call("Order Completed", { total: 25.5 }),
  ]);
  const groups = await read(`${JSON.stringify(SHAPES.segment(3))}\n`, { groupType: "team" });
  expect(groups.said[0]).toMatchObject({ properties: { $group_type: "team", $groups: { team: "acme" } } });
});

test("events are found in lists, in pages of an API, in objects over several lines, and behind a mark of the text", async () => {
  const events = [0, 1, 2].map((number) => SHAPES["posthog api"](number));
  const lines = await read(events.map((event) => `${JSON.stringify(event)}\r\n`).join(""));
  expect(lines.said).toHaveLength(3);
  const page = JSON.stringify({ next: "https://x/?a=[{", results: events.slice(0, 2) });
  const last = JSON.stringify({ next: null, results: events.slice(2), other: [{ event: "no" }] });
  const forms = [
    JSON.stringify(events),
    JSON.stringify(events, null, 2),
    `${page}\n${last}\n`,
    JSON.stringify({ next: null, results: events }, null, 2),
    events.map((event) => JSON.stringify(event, null, 2)).join("\n"),
    `\uFEFF${events.map((event) => JSON.stringify(event)).join("\n\n")}`,
  ];
  for (const form of forms) expect((await read(form)).said).toEqual(lines.said);
});

test("a record that says no event has a reason, and a file that nobody knows is refused with what it has", async () => {
  const good = JSON.stringify(SHAPES.events(1));
  const { said } = await read(`${good}\n{"event":\n[1]\n${good}`);
  expect(said).toEqual([
    expect.any(Object),
    "the record is not valid JSON, it ends too early (line 1, column 10)",
    "the record is no JSON object",
    expect.any(Object),
  ]);
  await expect(read('{"a":1,"b":2}\n')).rejects.toThrow("What file holds is not known: its records have a, b. Say --form");
});

test.each(["", "\n \r\n", "\uFEFF", "[]", " [\n]\n", '{"next":null,"previous":null,"results":[]}', '{"batch":[]}'])(
  "a file without any record is empty: %j",
  async (content) => {
    const nothing = { form: "empty", said: [] };
    expect(await read(content)).toEqual(nothing);
    expect(await read(gzipSync(content))).toEqual(nothing);
  },
);

test("what is no text in UTF-8 is refused by what it is, and not by its columns", async () => {
  const lines = jsonLines(SHAPES.events, 3);
  const sentence =
    "file is neither text in UTF-8 nor Parquet, and not compressed with gzip or zstd: unpack it first, or write it in UTF-8.";
  const zip = Buffer.concat([Buffer.from("PK\u0003\u0004\u0014\0\0\0"), Buffer.from(lines)]);
  for (const content of [zip, Buffer.from(`\uFEFF${lines}`, "utf16le"), gzipSync(gzipSync(lines))])
    await expect(read(content)).rejects.toThrow(sentence);
});
