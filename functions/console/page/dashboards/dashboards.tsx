import type { View } from "../view.ts";
import { DashboardList } from "./list.tsx";
import { OneDashboard } from "./one-dashboard.tsx";

/** Pages of endpoints' rows. */
export const view: View = ({ project, open: [id] }) =>
  id === undefined ? <DashboardList project={project} /> : <OneDashboard key={id} project={project} id={id} />;
