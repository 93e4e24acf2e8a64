import { expect, test } from "vitest";
import { memorySource } from "../../../test/support/history/memory-source.ts";
import { NoEvent } from "./forms/form.ts";
import { readMapping } from "./mapping.ts";
import { openFile } from "./open-file.ts";

const read = async (content: string, map?: string) => {
  const mapping = map === undefined ? undefined : readMapping(map);
  const file = await openFile(memorySource("table.csv", content), { form: undefined, mapping, groupType: "company" });
  const said: unknown[] = [];
  for await (const records of file.records({ offset: 0, line: 0 }))
    for (const record of records) said.push(record.said instanceof NoEvent ? record.said.message : record.said);
  return said;
};

test("a table whose columns are called as the parts of an event needs no mapping; all other columns are properties", async () => {
  const table =
    'event,distinct_id,timestamp,uuid,properties,price,zip,ok,note\nbuy,ana,2024-01-01,,"{""a"":1}",12.5,0712,true,"two\nlines, ""quoted"""\n';
  expect(await read(table)).toEqual([
    {
      event: "buy",
      distinct_id: "ana",
      timestamp: "2024-01-01",
      properties: { a: 1, price: 12.5, zip: "0712", ok: true, note: 'two\nlines, "quoted"' },
    },
  ]);
});

test("a cell that a number is written as is that number, however many digits it has", async () => {
  const cells = ["9007199254740993", "-12345678901234567890", "123456789.123456789012", "0.1", "-5", "0"];
  const texts = ["007", "1e3", "-0", "0.10", "+1", "1.", "undefined", "1,5"];
  const names = [...cells, ...texts].map((_, at) => `c${at}`);
  const row = [...cells, ...texts.map((text) => `"${text}"`)].join(",");
  const [event] = await read(`event,distinct_id,timestamp,${names.join(",")}\ne,d,2024-01-01,${row}\n`);
  const shown = [...cells, ...texts.map((text) => JSON.stringify(text))].map((value, at) => `"c${at}":${value}`).join(",");
  expect(JSON.stringify(event)).toContain(`"properties":{${shown}}`);
});

test("a mapping says which column is what, and what all events have", async () => {
  const table = "user;at;amount;plan;rest\r\nana;2024-01-01T00:00:00Z;3;pro;x\r\nbob;2024-01-02T00:00:00Z;;free;\r\n";
  const map = "event==purchase, distinct_id=user, timestamp=at, properties.total=amount, $set.plan=plan, properties.*=*";
  expect(await read(table, map)).toEqual([
    {
      event: "purchase",
      distinct_id: "ana",
      timestamp: "2024-01-01T00:00:00Z",
      properties: { total: 3, rest: "x", $set: { plan: "pro" } },
    },
    { event: "purchase", distinct_id: "bob", timestamp: "2024-01-02T00:00:00Z", properties: { $set: { plan: "free" } } },
  ]);
  const withoutRest = await read(table, "event==purchase,distinct_id=user,timestamp=at");
  expect(withoutRest[0]).toEqual({ event: "purchase", distinct_id: "ana", timestamp: "2024-01-01T00:00:00Z", properties: {} });
});

test("objects of any names are read by a mapping, too", async () => {
  expect(
    await read('{"what":"buy","who":"ana","when":"2024-01-01","n":1}\n', "event=what,distinct_id=who,timestamp=when,properties.*=*"),
  ).toEqual([{ event: "buy", distinct_id: "ana", timestamp: "2024-01-01", properties: { n: 1 } }]);
});

test("a record that is no row says why, and the others are read", async () => {
  const head = "event,distinct_id,timestamp,properties\n";
  expect(await read(`${head}a,b,2024-01-01,{,}\nc,d,2024-01-01,{\ne,f,2024-01-01\n`)).toEqual([
    "the record has 5 fields, and there are 4 columns",
    "the column of the properties is no JSON",
    { event: "e", distinct_id: "f", timestamp: "2024-01-01", properties: {} },
  ]);
});

test("a mapping that cannot be meant is refused", async () => {
  expect(() => readMapping("event")).toThrow('--map has "event", which is no part=column');
  expect(() => readMapping("name=x")).toThrow('--map names "name": parts of an event are');
  await expect(read("a,b\n1,2\n", "event=a,distinct_id=b,timestamp=c")).rejects.toThrow('--map names the column "c", and there are a, b.');
  await expect(read("a,b\n1,2\n")).rejects.toThrow("Which column is the event? Columns are a, b.");
});
