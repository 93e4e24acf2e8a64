import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { Code } from "../../../parts/code/code.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { compare, type Endpoint, type Place, type Preview } from "../calls.ts";

interface DivisionProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly preview: Preview;
}

/** How the query is divided between its table and a run of it. */
export const Division = ({ place, endpoint, preview }: DivisionProps) => {
  const { transformed_query, display_execution_query, range_pairs, aggregates } = preview;
  return (
    <section class="endpoint-section">
      <h2>How it is materialised</h2>
      {transformed_query && <Code text={transformed_query} label="The table holds" />}
      {display_execution_query && <Code text={display_execution_query} label="A run reads" />}
      {range_pairs.map(({ column, variables, bucket_fn }) => (
        <p key={column}>
          <code>{column}</code> is compared with {variables.join(" and ")}
          {bucket_fn && (
            <>
              : bounds are rounded down by <code>{bucket_fn}</code>
            </>
          )}
          .
        </p>
      ))}
      {aggregates.some(({ reaggregate_fn }) => reaggregate_fn) && (
        <p>
          {aggregates.map(({ expression, reaggregate_fn }, place) => (
            <span key={expression}>
              {place > 0 && ", "}
              <code>{expression}</code> by <code>{reaggregate_fn ?? "no function"}</code>
            </span>
          ))}{" "}
          is put together from the rows of the table.
        </p>
      )}
      <BothForms place={place} endpoint={endpoint} />
    </section>
  );
};

type Comparison = NonNullable<Preview["comparison"]>;

/** A run of the query both ways, with the defaults of its variables. */
const BothForms = ({ place, endpoint: { query } }: Pick<DivisionProps, "place" | "endpoint">) => {
  const { running, problem, run } = useAction();
  const [found, setFound] = useState<Comparison>();
  const variables = query?.kind === "HogQLQuery" ? Object.values(query.variables ?? {}) : [];
  const values = Object.fromEntries(variables.map(({ code_name, value }) => [code_name, value]));
  const ask = async (): Promise<void> => setFound((await run(compare(place, values), NOTHING))?.comparison);
  return (
    <>
      <div class="endpoint-buttons">
        <button type="button" disabled={running} onClick={() => void ask()}>
          Run it both ways
        </button>
        <span class="note">With the defaults of its variables; nothing is saved.</span>
      </div>
      {problem && <Problem problem={problem} />}
      {found && (
        <>
          <p>
            {found.equal ? "Both ways give the same rows." : <span class="wrong-word">The rows, or their order, differ.</span>}
            {found.table && ` The table has ${numberText(found.table.bytes)} bytes.`}
          </p>
          <Table label="Both ways" columns={COLUMNS} rows={sides(found)} keyOf={({ way }) => way} />
        </>
      )}
    </>
  );
};

/** A trial changes nothing, so nothing is asked for anew. */
const NOTHING = "nothing";

const sides = ({ live, materialised }: Comparison) => [
  { ...live, way: "live, from the events" },
  { ...materialised, way: "materialised, from the table" },
];

const COLUMNS: readonly Column<ReturnType<typeof sides>[number]>[] = [
  { title: "Way", wide: true, cell: ({ way, error }) => (error ? `${way}: ${error}` : way) },
  { title: "Rows", numeric: true, cell: ({ row_count }) => numberText(row_count) },
  { title: "Bytes read", numeric: true, cell: ({ bytes }) => numberText(bytes) },
  { title: "ms", numeric: true, cell: ({ ms }) => numberText(Math.round(ms)) },
];
