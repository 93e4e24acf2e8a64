import { useState } from "preact/hooks";
import { curl } from "../../calls/client.ts";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useAction } from "../../calls/use-action.ts";
import { useCall } from "../../calls/use-call.ts";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { TextField } from "../../parts/field/field.tsx";
import { Pages } from "../../parts/pages/pages.tsx";
import { Empty, Loaded, Problem } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { Ago } from "../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import { create, type Dashboard, dashboardsPath, list } from "./calls.ts";

const PAGE = 50;

/** All dashboards of a project: those that are pinned, then the others, each in the order in which they were made. */
export const DashboardList = ({ project }: { readonly project: ReachedProject }) => {
  const { may } = useSession();
  const address = useAddress();
  const offset = Number(address.query.get("offset")) || 0;
  const call = list(project.id, { limit: PAGE, ...(offset > 0 && { offset }) });
  const listed = useCall(call);
  return (
    <Frame title="Dashboards" call={call} actions={may("dashboard:write") && <NewButton project={project} />}>
      <Loaded of={listed} lines={6}>
        {({ results, count }) => (
          <>
            <Table
              label="Dashboards"
              columns={COLUMNS}
              rows={results.toSorted((a, b) => Number(b.pinned) - Number(a.pinned))}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => `project/${project.id}/dashboards/${id}`}
              empty={<NoDashboards project={project} />}
            />
            <Pages
              label="dashboards"
              offset={offset}
              limit={PAGE}
              count={count}
              hrefOf={(next) => withQuery(address, { offset: next === 0 ? undefined : String(next) })}
            />
          </>
        )}
      </Loaded>
    </Frame>
  );
};

const COLUMNS: readonly Column<Dashboard>[] = [
  { title: "Name", cell: ({ name }) => name },
  { title: "Description", wide: true, cell: ({ description }) => <span class="soft">{description}</span> },
  { title: "Pinned", cell: ({ pinned }) => (pinned ? "pinned" : "") },
  { title: "Tiles", numeric: true, cell: ({ tiles }) => tiles.length },
  { title: "Public link", cell: ({ is_shared }) => (is_shared ? "shared" : <span class="soft">none</span>) },
  { title: "Changed", cell: ({ updated_at }) => <Ago at={updated_at} /> },
];

const NoDashboards = ({ project }: { readonly project: ReachedProject }) => (
  <Empty title="No dashboard yet." command={curl(create(project.id, { name: "Overview", tiles: [{ endpoint: "events-by-day" }] }))}>
    <p>A dashboard is a page of tiles, each the rows of an endpoint, under one range for all. Make one here, or with a call:</p>
  </Empty>
);

const NewButton = ({ project }: { readonly project: ReachedProject }) => {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const action = useAction();
  const make = async (): Promise<void> => {
    const made = await action.run(create(project.id, { name }), dashboardsPath(project.id));
    if (made) go(`project/${project.id}/dashboards/${made.id}?edit=1`);
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        New dashboard
      </button>
      {isOpen && (
        <Dialog title="New dashboard" close={() => setOpen(false)}>
          <form
            class="dashboard-form"
            onSubmit={(event) => {
              event.preventDefault();
              void make();
            }}
          >
            <TextField label="Name" value={name} change={setName} />
            {action.problem && <Problem problem={action.problem} />}
            <button type="submit" class="primary" disabled={name.trim() === "" || action.running}>
              Make it
            </button>
          </form>
        </Dialog>
      )}
    </>
  );
};
