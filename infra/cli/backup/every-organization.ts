import { Organizations } from "../../../lib/organizations/organizations.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { type Project, Projects } from "../../../lib/projects/projects.ts";
import * as store from "../../../lib/table/store.ts";

/** The organizations of a stage, each with its projects, one at a time. */
export async function* everyOrganization(table: Table): AsyncGenerator<{ readonly id: string; readonly projects: readonly Project[] }> {
  for await (const organizations of store.pages(table, Organizations, "all", {}))
    for (const { id } of organizations) {
      const projects: Project[] = [];
      for await (const page of store.pages(table, Projects, "ofOrganization", { organization_id: id })) projects.push(...page);
      yield { id, projects };
    }
}
