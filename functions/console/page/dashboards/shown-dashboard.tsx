import { useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useAction } from "../../calls/use-action.ts";
import { Empty, Problem, Refused } from "../../parts/state/state.tsx";
import { TileGrid } from "../../parts/tile/tile.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import { change, type Dashboard, dashboardsPath, retrieve } from "./calls.ts";
import { droppedDraft, keepDraft, keptDraft } from "./draft.ts";
import { EndpointTile } from "./endpoint-tile.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { addressWith, filtersInAddress, NO_ADDRESS_FILTERS, sameFilters } from "./filters.ts";
import { ShareDialog } from "./share-dialog.tsx";

interface ShownDashboardProps {
  readonly project: ReachedProject;
  readonly dashboard: Dashboard;
  /** Why what is shown may be old. */
  readonly problem: Error | undefined;
  readonly refreshes: number;
  /** Where a draft of it would be kept. */
  readonly draftName: string;
  refresh(): void;
}

/** A dashboard to look at: its range and filters can be others for a while, which the address keeps. */
export const ShownDashboard = ({ project, dashboard, problem, refreshes, draftName, refresh }: ShownDashboardProps) => {
  const { may } = useSession();
  const address = useAddress();
  const [isSharing, setSharing] = useState(false);
  const { id, name, description, tiles } = dashboard;
  const place = { project_id: project.id, id };
  const filters = filtersInAddress(address, dashboard.filters);
  const mayWrite = may("dashboard:write") && may("endpoint:read");
  const edit = (): void => go(withQuery(address, { edit: "1" }));
  return (
    <Frame
      title={name}
      call={retrieve(place)}
      actions={
        <>
          {tiles.length > 0 && (
            <button type="button" onClick={refresh}>
              Refresh
            </button>
          )}
          {mayWrite && may("endpoint:read") && (
            <button type="button" onClick={() => setSharing(true)}>
              {dashboard.is_shared ? "Shared" : "Share"}
            </button>
          )}
          {mayWrite && (
            <button type="button" onClick={edit}>
              Edit
            </button>
          )}
        </>
      }
    >
      {problem && <Problem problem={problem} />}
      {mayWrite && <DraftNotice name={draftName} edit={edit} />}
      {description && <p class="soft dashboard-description">{description}</p>}
      {!may("endpoint:read") ? (
        <Refused scope="endpoint:read">Its tiles are the rows of endpoints.</Refused>
      ) : tiles.length === 0 ? (
        <Empty title="No tile yet.">
          <p>A tile is the rows of an endpoint, as a table or a plot.{mayWrite && " Edit the dashboard to add one."}</p>
        </Empty>
      ) : (
        <>
          <div class="dashboard-filters">
            <FilterBar project={project} filters={filters} change={(next) => go(addressWith(address, next))} mayClear={false} />
            {!sameFilters(filters, dashboard.filters) && <OtherFilters project={project} dashboard={dashboard} filters={filters} />}
          </div>
          <TileGrid>
            {tiles.map((tile) => (
              <EndpointTile key={tile.id} project={project} tile={tile} filters={filters} refreshes={refreshes} />
            ))}
          </TileGrid>
        </>
      )}
      {isSharing && <ShareDialog place={place} dashboard={dashboard} close={() => setSharing(false)} />}
    </Frame>
  );
};

interface OtherFiltersProps extends Pick<ShownDashboardProps, "project" | "dashboard"> {
  readonly filters: Dashboard["filters"];
}

/** What can be done with filters that are not the dashboard's own. */
const OtherFilters = ({ project, dashboard: { id, revision }, filters }: OtherFiltersProps) => {
  const { may } = useSession();
  const address = useAddress();
  const action = useAction();
  const back = (): void => go(withQuery(address, NO_ADDRESS_FILTERS));
  const keep = async (): Promise<void> => {
    const call = change({ project_id: project.id, id }, { filters, revision });
    if (await action.run(call, dashboardsPath(project.id))) go(withQuery(address, NO_ADDRESS_FILTERS), { replace: true });
  };
  return (
    <p class="note">
      Not the dashboard’s own range and filters.
      <button type="button" class="quiet" onClick={back}>
        Back to them
      </button>
      {may("dashboard:write") && (
        <button type="button" class="quiet" disabled={action.running} onClick={() => void keep()}>
          Save these as its own
        </button>
      )}
      {action.problem && <Problem problem={action.problem} />}
    </p>
  );
};

/** Says that there are changes which nobody saved, or which were discarded a moment ago. */
const DraftNotice = ({ name, edit }: { readonly name: string; edit(): void }) => {
  const isKept = keptDraft(name) !== undefined;
  const dropped = droppedDraft(name);
  if (!isKept && !dropped) return null;
  const bringBack = (): void => {
    if (dropped) keepDraft(name, dropped);
    edit();
  };
  return (
    <p class="note" role="status">
      {isKept ? "There are changes that were not saved." : "The changes were discarded."}
      <button type="button" class="quiet" onClick={bringBack}>
        {isKept ? "Go on with them" : "Undo"}
      </button>
    </p>
  );
};
