import { beforeAll, describe, expect, it } from "vitest";
import { anEngine } from "../../../test/support/engine.ts";
import { pinnedOf, storedSegment } from "../../../test/support/lake-state.ts";
import { memoryObjects } from "../../../test/support/memory-objects.ts";
import { anEventRow } from "../../../test/support/samples/event-rows.ts";
import { DAY_US } from "../../core/time.ts";
import { earnedColumn } from "../../event/earned-properties.ts";
import { RECORDING } from "../../event/recordings.ts";
import type { EventScan } from "../../hogql/lowered-query.ts";
import type { FileFacts } from "../../lake/catalogue.ts";
import { readParquet } from "../../lake/parquet.ts";
import { segmentKey } from "../../lake/paths.ts";
import type { Need } from "../printer/statement.ts";
import { readableJson } from "../sql/readable-json.ts";
import { type BindNeeds, openBinding } from "./bind.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
const DAY = 20_250n;

const rows = (count: number, day: bigint, event = "view") =>
  Array.from({ length: count }, (_, at) =>
    anEventRow({
      uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
      event,
      distinct_id: `user ${at % 7}`,
      timestamp: day * DAY_US + BigInt(at),
      index: at,
    }),
  );

let bind: BindNeeds;
let [file, copies, later, recordings]: FileFacts[] = [];
beforeAll(async () => {
  const stored = (name: string, some: ReturnType<typeof rows>) => storedSegment(engine(), objects, segmentKey(1, "2025-06", name), some);
  file = await stored("file", rows(2_000, DAY));
  copies = await stored("copies", [...rows(3, DAY), ...rows(2, DAY, "buy")]);
  later = await stored("later", rows(5, DAY + 3n));
  recordings = await stored("recordings", rows(4, DAY, RECORDING));
});

const open = (): BindNeeds => openBinding({ engine: engine(), objects, clock: { now: () => 0 }, reader: { cluster: "" } });

const events = (...columns: readonly string[]): Need => ({ name: "base_events", table: "events", columns });

const scan = (changes: Partial<EventScan> = {}): EventScan => ({
  ...{ kind: "events", name: "e", columns: ["event"], from: null, to: null, events: null, distinctIds: null },
  ...changes,
});

const some = (...files: readonly (FileFacts | undefined)[]): readonly FileFacts[] => files.filter((one) => one !== undefined);

describe("the relations of a statement", () => {
  beforeAll(() => {
    bind = open();
  });

  it("read the files that the ranges of the query's scans leave, and no others", async () => {
    const pinned = pinnedOf(1, some(file, later));
    const from = DAY * DAY_US;
    const [first] = (await bind(pinned, [events("event")], [scan({ from, to: from + DAY_US })])).ctes;
    expect(first).toContain("file.parquet");
    expect(first).not.toContain("later.parquet");
    const both = await bind(pinned, [events("event")], [scan({ from, to: from + DAY_US }), scan({ from: from + 2n * DAY_US })]);
    expect(both.ctes[0]).toContain("{1/2025-06/file.parquet,1/2025-06/later.parquet}");
    expect(both.count?.rows).toBe(2_005);
  });

  it("leave copies out by file and row, and count what stays", async () => {
    const { ctes, count } = await bind(pinnedOf(1, some(file), some(copies)), [events("event")], [scan()]);
    expect(ctes[0]).toMatch(
      /WHERE NOT \(\(_file, _row_number\) IN \(\('copies\.parquet', \d+\), \('copies\.parquet', \d+\), \('copies\.parquet', \d+\)\)\)/,
    );
    expect(count?.rows).toBe(2_002);
    expect(count?.sql).toContain("WHERE NOT ((_file, _row_number) IN ");
  });

  it("leave many copies out by an object, which is written once for all queries", async () => {
    const more = await storedSegment(engine(), objects, segmentKey(1, "2025-06", "more"), [...rows(1_500, DAY), ...rows(1, DAY, "buy")]);
    const put = async () => (await bind(pinnedOf(1, some(file), [more]), [events("event")], [scan()])).ctes[0] ?? "";
    const key = /waiting\/1\/[0-9a-f]{64}\.parquet/.exec(await put())?.[0] ?? "";
    const skipped = await readParquet(objects.contents.get(key) ?? new Uint8Array());
    expect(skipped.length).toBe(1_500);
    expect(new Set(skipped.map((row) => row.file))).toEqual(new Set(["more.parquet"]));
    objects.contents.delete(key);
    expect(await put()).toContain(key);
    expect(objects.contents.has(key)).toBe(false);
  });

  it("leave out rows that count recordings where a query may see them, and none where it asks for other events", async () => {
    const pinned = pinnedOf(1, some(recordings));
    const text = async (asked: readonly string[] | null) => (await bind(pinned, [events("uuid")], [scan({ events: asked })])).ctes[0];
    expect(await text(null)).toMatch(/`event` String.* WHERE event NOT IN \('\$\$recording'/);
    expect(await text(["view", RECORDING])).toContain("WHERE event NOT IN");
    expect(await text(["view"])).toBe("`base_events` AS (SELECT materialize(defaultValueOfTypeName('UUID')) AS `uuid` WHERE false)");
  });

  it("read rare columns where a file has them, and NULL where it has none", async () => {
    const [relation] = (await bind(pinnedOf(1, some(file)), [events("event", "hot_ai_product")], [scan()])).ctes;
    expect(relation).toContain("SELECT `event`, CAST(NULL, 'Nullable(String)') AS `hot_ai_product` FROM ");
    expect(relation).not.toContain("`hot_ai_product` Nullable(String)");
    const [older] = (
      await bind(
        pinnedOf(
          1,
          some(file).map(({ rare: _, ...rest }) => rest),
        ),
        [events("hot_ai_product", "hot_ai_input_tokens")],
        [scan()],
      )
    ).ctes;
    expect(older).toContain("JSONExtractString(JSONExtractRaw(properties, 'ai_product'))");
    expect(older).toContain("JSONExtractRaw(properties, '$ai_input_tokens')");
  });

  it("make documents with big integers readable, of files that may have some, where documents are read", async () => {
    const text = async (bigIntegers: boolean | undefined, ...columns: readonly string[]) => {
      const told = some(file).map(({ bigIntegers: _, ...one }) => ({ ...one, ...(bigIntegers !== undefined && { bigIntegers }) }));
      return (await bind(pinnedOf(1, told), [events(...columns)], [scan()])).ctes.join();
    };
    const readable = `(SELECT * REPLACE (${readableJson("properties")} AS properties) FROM `;
    expect(await text(true, "properties")).toContain(readable);
    expect(await text(undefined, "event", "properties")).toContain(readable);
    expect(await text(false, "properties")).not.toContain("isValidJSON");
    expect(await text(true, "event")).not.toContain("isValidJSON");
  });

  it("read columns that properties have earned where a file has them, and else the JSON, with nothing of their names in the text", async () => {
    const [plan, amount] = [
      earnedColumn({ property: "plan'", type: "text" }),
      earnedColumn({ property: "amount", type: "number" }),
    ] as const;
    const need: Need = { name: "base_events", table: "events", columns: [], earned: [plan, amount] };
    const having = some(file).map((one) => ({ ...one, earned: [plan.column] }));
    const [relation = ""] = (await bind(pinnedOf(1, [...having, ...some(later)]), [need], [scan()])).ctes;
    const [first = "", second = ""] = relation.split(" UNION ALL ");
    expect(first).toContain(`SELECT \`${plan.column}\`, accurateCastOrNull(`);
    expect(first).toContain(`structure = '\`properties\` String, \`${plan.column}\` Nullable(String)'`);
    expect(second).toContain(`JSONExtractString(JSONExtractRaw(properties, unhex('${Buffer.from("plan'").toString("hex")}')))`);
    expect(relation).not.toContain("plan'");
    const [empty] = (await bind(pinnedOf(1, []), [need], [])).ctes;
    expect(empty).toContain(`materialize(defaultValueOfTypeName('Nullable(Float64)')) AS \`${amount.column}\``);
  });

  it("read of persons and groups the columns that their files have, and else the JSON, also of what waits", async () => {
    const [plan, city] = ["plan", "city"].map((property) => earnedColumn({ property, type: "text" }));
    if (plan === undefined || city === undefined) throw new Error("there are two columns");
    const [first, second] = ["a", "b"].map((name) => ({ key: `snapshots/1/persons/${name}.parquet`, bytes: 1, rows: 2 }));
    if (first === undefined || second === undefined) throw new Error("there are two files");
    const state = { v: 1, id: "s", distinctIds: [], groups: [], history: [], absorbed: [], absorbedAt: [] };
    const pinned = { ...pinnedOf(1, []), state: { ...state, persons: [{ ...first, earned: [plan.column] }, second] } };
    const need: Need = { name: "p", table: "persons", columns: [], earned: [plan, city] };
    const { ctes, count } = await bind(pinned, [need], []);
    const [having = "", lacking = ""] = (ctes[0] ?? "").split(" UNION ALL ");
    expect(having).toContain(`SELECT \`person_id\`, \`${plan.column}\`, nullIf(`);
    expect(having).toContain(`\`${plan.column}\` Nullable(String), \`properties\` String'`);
    expect(lacking).not.toContain(`\`${plan.column}\` Nullable(String)`);
    expect(lacking).toContain("JSONExtractRaw(properties, unhex(");
    expect(count?.rows).toBe(4);
  });

  it("have no rows where the state has none", async () => {
    const { ctes, count } = await bind(pinnedOf(1, []), [events("event"), { name: "p", table: "persons", columns: ["person_id"] }], []);
    expect(ctes).toHaveLength(2);
    for (const one of ctes) expect(one).toContain("WHERE false");
    expect(count).toBeNull();
  });
});
