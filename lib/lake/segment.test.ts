import { describe, expect, it } from "vitest";
import { type EventRow, RARE_SETS } from "../event/event.ts";
import { HOT, RARE } from "../event/hot-properties.ts";
import { readFooter, readParquet } from "./parquet.ts";
import { writeSegment } from "./row-files.ts";

const aRow = (changes: Partial<EventRow> = {}): EventRow => ({
  uuid: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
  event: "$pageview",
  distinct_id: "ann",
  person_id: "b4dd4e1b-568e-50e7-8cc1-a9ad3c7dadc0",
  timestamp: 1_750_000_000_123_456n,
  created_at: 1_750_000_001_000_000n,
  identity: -42n,
  person_mode: "full",
  historical: false,
  session_id: null,
  window_id: null,
  groups: ["acme", null, null, null, null],
  elements_chain: "",
  properties: '{"a":1}',
  hot: HOT.map(() => null),
  request: "0123456789abcdef0123456789abcdef",
  index: 0,
  ...changes,
});

const noUsage = () => ({});

describe("writeSegment", () => {
  it.each([0, 1])("keeps every value of a row: %d", async (missing) => {
    const hot = HOT.map(({ type }, at) => (at % 2 === missing ? null : type === "number" ? 1.5 : `ü${at}`));
    const row = aRow({ hot, session_id: "s" });
    const written = await writeSegment([row], noUsage);
    const [read] = await readParquet(written.content);
    const { groups, hot: _, ...plain } = row;
    expect(read).toMatchObject(plain);
    expect(groups.map((_, slot) => read?.[`group_${slot}`])).toEqual(groups);
    expect(HOT.map(({ column }) => read?.[column])).toEqual(hot);
  });

  it("sorts by distinct_id and time and states the bounds", async () => {
    const rows = [
      aRow({ distinct_id: "bob", timestamp: 5n }),
      aRow({ distinct_id: "ann", timestamp: 9n, event: "b" }),
      aRow({ distinct_id: "ann", timestamp: -1n, event: "a" }),
    ];
    const written = await writeSegment(rows, () => ({ "0": { events: 3 } }));
    const read = await readParquet(written.content, ["distinct_id", "timestamp"]);
    expect(read).toEqual([
      { distinct_id: "ann", timestamp: -1n },
      { distinct_id: "ann", timestamp: 9n },
      { distinct_id: "bob", timestamp: 5n },
    ]);
    expect(written).toMatchObject({
      rows: 3,
      days: [-1, 0],
      times: ["-1", "9"],
      ids: ["ann", "bob"],
      events: ["$pageview", "a", "b"],
      usage: { "0": { events: 3 } },
      bytes: written.content.length,
    });
    const footer = new DataView(written.content.buffer, written.content.byteOffset).getUint32(written.content.length - 8, true);
    expect(written.footerBytes).toBe(footer);
  });

  it("counts the bytes of every text that can be long: what merges hold is bounded by them", async () => {
    const bytesOf = async (changes: Partial<EventRow>) => (await writeSegment([aRow(changes)], noUsage)).plainBytes ?? 0;
    const least = await bytesOf({ event: "", distinct_id: "", groups: [], properties: "" });
    expect(least).toBeGreaterThan(100);
    const long = "é".repeat(500);
    const texts: readonly (readonly [Partial<EventRow>, number])[] = [
      [{ event: long }, 500],
      [{ distinct_id: long }, 500],
      [{ session_id: long }, 500],
      [{ window_id: long }, 500],
      [{ groups: [null, long, null, long, null] }, 1_000],
      [{ hot: HOT.map((_, at) => (at < 2 ? long : at === 2 ? 7 : null)) }, 1_000],
      [{ elements_chain: long }, 1_000],
      [{ properties: long }, 1_000],
    ];
    for (const [text, bytes] of texts)
      expect(await bytesOf({ event: "", distinct_id: "", groups: [], properties: "", ...text })).toBe(least + bytes);
  });

  it("states 64 names of events, and of more none", async () => {
    const named = (count: number) => Array.from({ length: count }, (_, at) => aRow({ event: `e${at}` }));
    expect((await writeSegment(named(64), noUsage)).events).toHaveLength(64);
    expect((await writeSegment(named(65), noUsage)).events).toBeNull();
  });

  it("counts the bytes of each row", async () => {
    const bytesOf = async (count: number) =>
      (
        await writeSegment(
          Array.from({ length: count }, () => aRow()),
          noUsage,
        )
      ).plainBytes ?? 0;
    expect(await bytesOf(3)).toBe(3 * (await bytesOf(1)));
  });

  it("cuts long ids where it states the bounds", async () => {
    const long = "\u{1F600}".repeat(200);
    const written = await writeSegment([aRow({ distinct_id: long }), aRow({ distinct_id: `${long.slice(0, -2)}z` })], noUsage);
    expect(written.ids).toEqual([long.slice(0, 200), long.slice(0, 200)]);
  });

  it("keeps the order of times of one id, whatever order they come in, and every value beside its row", async () => {
    const count = 150;
    const rows = Array.from({ length: count }, (_, at) => {
      const time = (at * 77) % count;
      return aRow({
        timestamp: BigInt(time),
        index: time,
        uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(time).padStart(12, "0")}`,
        event: `${time}`,
      });
    });
    const read = await readParquet((await writeSegment(rows, noUsage)).content, ["timestamp", "index", "uuid", "event"]);
    expect(read).toEqual(
      rows.map(({ timestamp, index, uuid, event }) => ({ timestamp, index, uuid, event })).sort((a, b) => a.index - b.index),
    );
  });

  it.each(RARE_SETS)("has the rare columns of a set when one row has a value for one, and not otherwise: %s", async (set) => {
    const withRare = aRow({ hot: HOT.map(({ property }) => (property === RARE[set][0].property ? "x" : null)) });
    const columnsOf = async (rows: readonly EventRow[]) => {
      const { content, rare, exceptions } = await writeSegment(rows, noUsage);
      return { facts: { rare, exceptions }, columns: Object.keys((await readParquet(content))[0] ?? {}) };
    };
    const [common, rare] = [await columnsOf([aRow()]), await columnsOf([aRow(), withRare])];
    expect(common.facts).toEqual({ rare: false, exceptions: false });
    expect(rare.facts).toEqual({ rare: false, exceptions: false, [set]: true });
    expect(rare.columns.filter((column) => !common.columns.includes(column))).toEqual(RARE[set].map(({ column }) => column));
  });

  it("lists once what repeats, and not what never does", async () => {
    const rows = Array.from({ length: 20 }, (_, at) => aRow({ index: at }));
    const { content, footerBytes } = await writeSegment(rows, noUsage);
    const { row_groups, schema } = readFooter(content.subarray(content.length - 8 - footerBytes, content.length - 8));
    const listed = row_groups[0]?.columns.flatMap(({ meta_data }) =>
      meta_data?.encodings.includes("RLE_DICTIONARY") ? meta_data.path_in_schema : [],
    );
    expect(listed).toEqual(expect.arrayContaining(["event", "distinct_id", "person_id", "group_0", "request"]));
    for (const name of ["uuid", "properties"]) expect(listed).not.toContain(name);
    const required = (name: string) => schema.find((each) => each.name === name)?.repetition_type;
    expect(["event", "properties", "session_id", "group_4"].map(required)).toEqual(["REQUIRED", "REQUIRED", "OPTIONAL", "OPTIONAL"]);
  });

  it("keeps more rows than a row group and more names than it lists", async () => {
    const rows = Array.from({ length: 100_050 }, (_, at) => aRow({ distinct_id: `u${at % 7}`, event: `e${at % 100}`, index: at }));
    const written = await writeSegment(rows, noUsage);
    const read = await readParquet(written.content, ["event", "index"]);
    expect(written.events).toBeNull();
    expect(read.length).toBe(rows.length);
    expect(read.every(({ event, index }) => event === `e${Number(index) % 100}`)).toBe(true);
  });

  it("keeps times at the edges of what is accepted", async () => {
    const times = [-62_167_219_200_000_000n, -2_208_988_800_000_000n, -1n, 253_402_300_799_999_999n];
    const written = await writeSegment(
      times.map((timestamp, at) => aRow({ timestamp, index: at, distinct_id: `${at}` })),
      noUsage,
    );
    const read = await readParquet(written.content, ["timestamp"]);
    expect(read.map(({ timestamp }) => timestamp)).toEqual(times);
  });
});
