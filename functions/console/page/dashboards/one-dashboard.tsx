import { useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { Loaded } from "../../parts/state/state.tsx";
import { useAddress } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import { retrieve } from "./calls.ts";
import { EditedDashboard } from "./edited-dashboard.tsx";
import { ShownDashboard } from "./shown-dashboard.tsx";

interface OneDashboardProps {
  readonly project: ReachedProject;
  readonly id: string;
}

/** A dashboard, to look at or to change. */
export const OneDashboard = ({ project, id }: OneDashboardProps) => {
  const { may, who } = useSession();
  const address = useAddress();
  const [refreshes, setRefreshes] = useState(0);
  const asked = useCall(retrieve({ project_id: project.id, id }));
  if (asked.data === undefined) {
    return (
      <Frame title="Dashboard">
        <Loaded of={asked} lines={12}>
          {() => null}
        </Loaded>
      </Frame>
    );
  }
  const shared = { project, dashboard: asked.data, refreshes, draftName: `${who?.user.id} ${id}` };
  return address.query.has("edit") && may("dashboard:write") && may("endpoint:read") ? (
    <EditedDashboard {...shared} again={asked.again} />
  ) : (
    <ShownDashboard {...shared} problem={asked.problem} refresh={() => setRefreshes(refreshes + 1)} />
  );
};
