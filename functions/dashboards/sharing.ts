import type { World } from "../../lib/app/world.ts";
import { isoMicros } from "../../lib/core/time.ts";
import { type Dashboard, Dashboards } from "../../lib/dashboards/dashboards.ts";
import { newToken, SharedLinks } from "../../lib/dashboards/shared-links.ts";
import type { Condition, Table } from "../../lib/ports/table.ts";
import { putting, removing, updating } from "../../lib/table/store.ts";
import { ABSENT, transact } from "../../lib/table/transact.ts";

/** A dashboard with the token of its new link. */
interface NewlyShared {
  readonly dashboard: Dashboard;
  readonly token: string;
}

/** Gives a dashboard a public link; the one before ends. Throws `ConditionFailed` where somebody else shared it at the same moment. */
export const shareDashboard = async (
  { table, ids, clock }: Pick<World, "table" | "ids" | "clock">,
  dashboard: Dashboard,
  user: number,
): Promise<NewlyShared> => {
  const { project, id } = dashboard;
  const { token, hash } = newToken(ids);
  const set = { link_hash: hash, link_created_at: isoMicros(clock.now()), link_created_by: user };
  await transact(table, [
    updating(Dashboards, { project, id }, { set }, sameLink(dashboard)),
    putting(SharedLinks, { hash, project, dashboard: id }, ABSENT),
    ...withoutLink(dashboard),
  ]);
  return { dashboard: { ...dashboard, ...set }, token };
};

/** Ends the public link of a dashboard, where it has one. Throws `ConditionFailed` where somebody else replaced it at the same moment. */
export const revokeLink = async (table: Table, dashboard: Dashboard): Promise<void> => {
  if (dashboard.link_hash === null) return;
  const { project, id } = dashboard;
  const set = { link_hash: null, link_created_at: null, link_created_by: null };
  await transact(table, [updating(Dashboards, { project, id }, { set }, sameLink(dashboard)), ...withoutLink(dashboard)]);
};

const sameLink = ({ link_hash }: Dashboard): Condition => ({ kind: "equals", attribute: "link_hash", value: link_hash });

const withoutLink = ({ link_hash }: Dashboard) => (link_hash === null ? [] : [removing(SharedLinks, { hash: link_hash })]);
