import type { Area } from "../area.ts";

export const dashboards: Area = async ({ record }) => {
  const { id, tiles } = await record("createDashboard");
  const path = { id: String(id) };
  await record("listDashboards");
  await record("retrieveDashboard", { path });
  await record("updateDashboard", { path });
  const { url } = await record("shareDashboard", { path });
  const token = String(url).split("/").at(-2) ?? "";
  await record("getDashboardSharing", { path });
  await record("getSharedDashboard", { path: { token } });
  await record("getSharedDashboardTile", { path: { token, tile_id: String(Object(tiles)[0].id) } });
  await record("unshareDashboard", { path });
  await record("deleteDashboard", { path });
};
