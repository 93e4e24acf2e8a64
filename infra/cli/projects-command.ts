import { Organizations } from "../../lib/organizations/organizations.ts";
import { type Project, Projects } from "../../lib/projects/projects.ts";
import * as store from "../../lib/table/store.ts";
import { columns, type Run } from "./command.ts";

export const listProjects: Run = async ({ world: { table } }) => {
  const found: {
    readonly id: number;
    readonly name: string;
    readonly timezone: string;
    readonly organization: string;
    /** The version of the algorithm that groups its exceptions. */
    readonly grouping: number;
    readonly token: string;
    readonly state: Project["state"];
    /** Whole months for which its events are kept; null for ever. */
    readonly retention_months: number | null;
    readonly erased_ids: Project["erased_ids"];
  }[] = [];
  for await (const organizations of store.pages(table, Organizations, "all", {}))
    for (const organization of organizations)
      for await (const projects of store.pages(table, Projects, "ofOrganization", { organization_id: organization.id }))
        for (const { id, name, timezone, api_token, grouping_version: grouping = 1, ...project } of projects) {
          const { state, retention_months, erased_ids } = project;
          const settings = { state, retention_months, erased_ids };
          found.push({ id, name, timezone, organization: organization.name, grouping, token: api_token, ...settings });
        }
  found.sort((left, right) => left.id - right.id);
  const rows = found.map((each) => [
    ...[String(each.id), each.name, each.timezone, each.organization, String(each.grouping), kept(each.retention_months)],
    each.state === "removed" ? "removed" : each.token,
  ]);
  return { json: found, lines: columns(["id", "name", "time zone", "organization", "grouping", "kept", "token"], rows) };
};

const kept = (months: number | null): string => (months === null ? "for ever" : `${months} ${months === 1 ? "month" : "months"}`);
