import { useEffect, useState } from "preact/hooks";
import { useCall } from "../../../calls/use-call.ts";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { Pages } from "../../../parts/pages/pages.tsx";
import { Loaded } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { listProperties, PAGE_ROWS, type PropertyDefinition } from "../calls.ts";

const OWNERS = [
  { value: "event", title: "Events" },
  { value: "person", title: "Persons" },
  { value: "group", title: "Groups" },
] as const;

/** Between the last letter that is typed and the search for it. */
const PAUSE_MS = 250;

/** The properties that had a value, with their types. */
export const Definitions = ({ project }: { readonly project: number }) => {
  const address = useAddress();
  const search = address.query.get("search") ?? "";
  const type = OWNERS.find(({ value }) => value === address.query.get("of"))?.value ?? "event";
  const offset = Number(address.query.get("offset") ?? 0) || 0;
  const asked = useCall(listProperties(project, { type, search, offset }));
  const [draft, setDraft] = useState(search);
  useEffect(() => {
    if (draft === search) return undefined;
    const timer = setTimeout(() => go(withQuery(address, { search: draft, offset: undefined }), { replace: true }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <section>
      <h2>Properties</h2>
      <div class="health-filters">
        <ChoiceField label="Of" value={type} options={OWNERS} change={(of) => go(withQuery(address, { of, offset: undefined }))} />
        <TextField label="Name holds" type="search" value={draft} change={setDraft} />
      </div>
      <Loaded of={asked} lines={10}>
        {({ results, count }) => (
          <>
            <Table
              label="Properties"
              columns={columnsOf(type)}
              rows={results}
              keyOf={({ name, group_type_index }) => `${group_type_index} ${name}`}
              empty={
                <p class="soft">
                  {search === "" ? "No property had a value so far: send an event that has one." : `No name holds “${search}”.`}
                </p>
              }
            />
            <Pages
              label="Properties"
              offset={offset}
              limit={PAGE_ROWS}
              count={count}
              hrefOf={(to) => withQuery(address, { offset: to === 0 ? undefined : String(to) })}
            />
          </>
        )}
      </Loaded>
    </section>
  );
};

const columnsOf = (type: PropertyDefinition["type"]): readonly Column<PropertyDefinition>[] => [
  { title: "Name", wide: true, cell: ({ name }) => name },
  ...(type === "group"
    ? [{ title: "Group type", numeric: true, cell: ({ group_type_index }: PropertyDefinition) => group_type_index }]
    : []),
  { title: "Type", cell: ({ property_type }) => property_type },
];
