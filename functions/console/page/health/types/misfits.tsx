import { curl } from "../../../calls/client.ts";
import { useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Code } from "../../../parts/code/code.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Loaded } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { useAddress, withQuery } from "../../address.ts";
import { listMisfits, type Misfit, readHealth } from "../calls.ts";

const COLUMNS: readonly Column<Misfit>[] = [
  { title: "Property", cell: ({ property }) => property },
  { title: "Of", cell: ({ owner, group_type_index }) => (owner === "group" ? `group ${group_type_index}` : owner) },
  { title: "Queries take it as", wide: true, cell: ({ type }) => type },
  { title: "Events with values that do not fit", numeric: true, cell: ({ values }) => `${numberText(values)} or more` },
];

const nameOf = ({ owner, group_type_index, property }: Misfit): string => `${owner}${group_type_index ?? ""}:${property}`;

/** The properties with values that do not fit their type, what that means, and the values of one of them. */
export const Misfits = ({ project }: { readonly project: number }) => {
  const address = useAddress();
  const { may } = useSession();
  const asked = useCall(readHealth(project));
  const open = address.query.get("misfit");
  return (
    <section>
      <h2>Values that do not fit</h2>
      <Loaded of={asked} lines={3}>
        {({ misfits }) => {
          const misfit = misfits.find((each) => nameOf(each) === open);
          return misfits.length === 0 ? (
            <p class="soft">All values fit the types of their properties.</p>
          ) : (
            <>
              <p class="health-prose">
                A property has the type of most of its values. Queries take a value of another type as <code>NULL</code>: it is stored as it
                came, and missing in sums, filters and comparisons. No setting changes a type. Mend what sends the value, or send it under
                another name; in a query, <code>JSONExtractRaw(properties, 'name')</code> reads every value as text.
              </p>
              <Table
                label="Properties with values that do not fit"
                columns={COLUMNS}
                rows={misfits}
                keyOf={nameOf}
                open={open ?? undefined}
                {...(may("query:read") && { hrefOf: (each: Misfit) => withQuery(address, { misfit: nameOf(each) }) })}
              />
              {misfit && may("query:read") && <Values project={project} misfit={misfit} />}
              <Code label="Counts them all, in a terminal" text={`npm run admin -- properties --project ${project}`} />
            </>
          );
        }}
      </Loaded>
    </section>
  );
};

const VALUE_COLUMNS: readonly Column<unknown>[] = [
  { title: "Value", wide: true, cell: (row) => <code>{String(cellsOf(row)[0])}</code> },
  { title: "Times", numeric: true, cell: (row) => numberText(Number(cellsOf(row)[1])) },
];

const cellsOf = (row: unknown): readonly unknown[] => (Array.isArray(row) ? row : []);

/** The values of one property that do not fit. */
const Values = ({ project, misfit }: { readonly project: number; readonly misfit: Misfit }) => {
  const call = listMisfits(project, misfit);
  const asked = useCall(call);
  return (
    <section class="health-opened">
      <h3>
        Values of {misfit.property} that are not {misfit.type}
      </h3>
      <Loaded of={asked} lines={3}>
        {({ results }) => (
          <Table
            label={`Values of ${misfit.property} that do not fit`}
            columns={VALUE_COLUMNS}
            rows={results}
            keyOf={(row) => String(cellsOf(row)[0])}
            empty={<p class="soft">None of them is in the events that a query sees now.</p>}
          />
        )}
      </Loaded>
      <Code label="curl" text={curl(call)} />
    </section>
  );
};
