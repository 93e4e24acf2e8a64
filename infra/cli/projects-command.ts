import { Organizations } from "../../lib/organizations/organizations.ts";
import { Projects } from "../../lib/projects/projects.ts";
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
  }[] = [];
  for await (const organizations of store.pages(table, Organizations, "all", {}))
    for (const organization of organizations)
      for await (const projects of store.pages(table, Projects, "ofOrganization", { organization_id: organization.id }))
        for (const { id, name, timezone, api_token, grouping_version: grouping = 1 } of projects)
          found.push({ id, name, timezone, organization: organization.name, grouping, token: api_token });
  found.sort((left, right) => left.id - right.id);
  const rows = found.map((each) => [String(each.id), each.name, each.timezone, each.organization, String(each.grouping), each.token]);
  return { json: found, lines: columns(["id", "name", "time zone", "organization", "grouping", "token"], rows) };
};
