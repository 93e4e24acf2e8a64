import { useState } from "preact/hooks";
import type { Answer } from "./answer.ts";
import type { ResultKind } from "./kinds.ts";
import { KindChoice, Result } from "./result.tsx";

const sql = (types: readonly (readonly [string, string])[], results: readonly unknown[][]): Answer => ({
  results,
  columns: types.map(([name]) => name),
  types,
});

const days = sql(
  [
    ["day", "Date"],
    ["events", "UInt64"],
    ["people", "UInt64"],
  ],
  Array.from({ length: 30 }, (_, at) => [
    new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10),
    200 + ((at * 37) % 90),
    90 + ((at * 13) % 30),
  ]),
);

const mixed = sql(
  [
    ["event", "String"],
    ["properties", "String"],
    ["numbers", "Array(UInt8)"],
    ["nothing", "Nullable(String)"],
    ["share", "Float64"],
  ],
  [
    [
      "$pageview",
      JSON.stringify({ $browser: "Chrome", $current_url: "https://shop.example/docs", $pathname: "/docs", plan: "enterprise" }),
      [1, 2, 3],
      null,
      1234567.891,
    ],
    ["signup", "{}", [], "text", 0.5],
  ],
);

const retention: Answer = {
  results: Array.from({ length: 8 }, (_, row) => ({
    date: new Date(Date.UTC(2026, 10, 1 + row)).toISOString(),
    breakdown_value: null,
    values: Array.from({ length: 8 }, (_, column) => ({
      label: `Day ${column}`,
      count: Math.round((1_200 - row * 40) * (column === 0 ? 1 : 0.6 / column)),
    })),
  })),
};

const Chosen = () => {
  const [kind, setKind] = useState<ResultKind>("auto");
  return (
    <>
      <KindChoice answer={days} kind={kind} change={setKind} />
      <Result answer={days} kind={kind} label="Events by day" />
    </>
  );
};

export const states = {
  "a time and numbers, with a choice": Chosen,
  "a table": () => <Result answer={mixed} kind="auto" label="Events" />,
  "a long table": () => (
    <Result
      answer={sql(
        [["number", "UInt64"]],
        Array.from({ length: 250 }, (_, at) => [at]),
      )}
      kind="table"
      label="Numbers"
    />
  ),
  "one number": () => <Result answer={sql([["count()", "UInt64"]], [[1_234_567]])} kind="auto" label="Events" />,
  retention: () => <Result answer={retention} kind="auto" label="Retention by day" />,
  "no rows": () => <Result answer={sql([["event", "String"]], [])} kind="auto" label="Events" />,
};
