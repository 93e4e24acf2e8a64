import type { ReachedProject } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { ChoiceField, TextField } from "../../parts/field/field.tsx";
import { Pages } from "../../parts/pages/pages.tsx";
import { Empty, Loaded } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { Ago } from "../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import { type Endpoint, list } from "./calls.ts";
import { TableState } from "./table/table-state.tsx";
import { kindWord, pathWord } from "./words.ts";

const PAGE = 50;
/** The API has no search by name, so one looks through as many as a page of it may have. */
const SEARCHED = 1_000;

/** All endpoints of a project, the oldest first. */
export const EndpointList = ({ project }: { readonly project: ReachedProject }) => {
  const address = useAddress();
  const search = address.query.get("q") ?? "";
  const active = address.query.get("is_active") ?? "";
  const offset = search === "" ? Number(address.query.get("offset")) || 0 : 0;
  const limit = search === "" ? PAGE : SEARCHED;
  const call = list(project.id, { limit, ...(offset > 0 && { offset }), ...(active !== "" && { is_active: active === "true" }) });
  const listed = useCall(call);
  const change = (changes: Readonly<Record<string, string>>): void =>
    go(withQuery(address, { ...changes, offset: undefined }), { replace: true });
  return (
    <Frame title="Endpoints" call={call}>
      <Loaded of={listed} lines={10}>
        {({ results, count }) =>
          count === 0 && active === "" ? (
            <NoEndpoints project={project} />
          ) : (
            <>
              <div class="endpoints-filter">
                <TextField label="Name, description or tag" type="search" value={search} change={(q) => change({ q })} />
                <ChoiceField label="State" value={active} options={STATES} change={(value) => change({ is_active: value })} />
              </div>
              <Table
                label="Endpoints"
                columns={COLUMNS}
                rows={results.filter((endpoint) => fits(endpoint, search))}
                keyOf={({ id }) => id}
                hrefOf={({ name }) => `project/${project.id}/endpoints/${encodeURIComponent(name)}`}
                empty={<Empty title="No endpoint fits." />}
              />
              {search === "" ? (
                <Pages
                  label="endpoints"
                  offset={offset}
                  limit={limit}
                  count={count}
                  hrefOf={(next) => withQuery(address, { offset: next === 0 ? undefined : String(next) })}
                />
              ) : (
                count > results.length && (
                  <p class="note">
                    Of {count} endpoints the first {results.length} were looked through.
                  </p>
                )
              )}
            </>
          )
        }
      </Loaded>
    </Frame>
  );
};

const STATES = [
  { value: "", title: "All" },
  { value: "true", title: "Active" },
  { value: "false", title: "Inactive" },
];

const fits = ({ name, description, tags }: Endpoint, search: string): boolean =>
  [name, description ?? "", ...tags].some((text) => text.toLowerCase().includes(search.trim().toLowerCase()));

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "Name",
    cell: ({ name }) => (
      <span class="endpoints-name" title={name}>
        {name}
      </span>
    ),
  },
  { title: "Description", wide: true, cell: ({ description }) => description },
  { title: "Kind", cell: ({ query }) => kindWord(query) },
  { title: "Path", cell: pathWord },
  { title: "Last run", cell: ({ last_executed_at: at }) => (at === null ? <span class="soft">never</span> : <Ago at={at} />) },
  { title: "Table", cell: ({ materialization }) => <TableState materialization={materialization} /> },
  { title: "State", cell: ({ is_active }) => (is_active ? "active" : <span class="soft">inactive</span>) },
  { title: "Tags", cell: ({ tags }) => tags.join(", ") },
];

const NoEndpoints = ({ project }: { readonly project: ReachedProject }) => (
  <Empty
    title="No endpoint yet."
    command={`curl -s -X POST '${new URL(`api/projects/${project.id}/endpoints/`, document.baseURI)}' \\
  -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
  -d '{"name": "events-by-day", "query": {"kind": "HogQLQuery", "query": "SELECT toDate(timestamp) AS day, count() AS events FROM events GROUP BY day ORDER BY day"}}'`}
  >
    <p>
      An endpoint is a query with a name, which programs run over HTTP. Write one in <a href={`project/${project.id}/ask`}>Ask</a> and save
      it there, or:
    </p>
  </Empty>
);
