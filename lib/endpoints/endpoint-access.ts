import type { Access, Call } from "../http/access.ts";
import { notFound } from "../http/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import type { Project } from "../projects/projects.ts";
import { get } from "../table/store.ts";
import { requireEndpoint } from "./load.ts";
import { type SavedEndpoint, SavedEndpoints } from "./saved-endpoints.ts";

/** What is told of the endpoint that a call's path names. */
export interface EndpointGrant {
  /** Throws 404. */
  endpoint(): Promise<SavedEndpoint>;
}

/**
 * `access` for a path with `{project_id}` and `{name}`, whose endpoint is read while the caller is being admitted, so that it costs no
 * time of its own. A caller who is not admitted is told nothing of it.
 */
export const withEndpoint = <G extends { readonly project: Pick<Project, "id"> }>(
  access: Access<Ports, G>,
): Access<Ports, G & EndpointGrant> =>
  Object.freeze({
    rule: access.rule,
    async identify(call: Call, world: Ports) {
      const identity = await access.identify(call, world);
      return {
        async admit(rate) {
          const reading = readAhead(call, world.table);
          reading.catch(() => undefined);
          const admission = await identity.admit(rate);
          const { project } = admission.grant;
          const endpoint = async () => (await reading) ?? requireEndpoint(world.table, project.id, call.params.name ?? "");
          return { ...admission, grant: { ...admission.grant, endpoint } };
        },
      };
    },
  } satisfies Access<Ports, G & EndpointGrant>);

/** The endpoint of a project whose path names it by its number; undefined where it is not a number. Throws 404. */
const readAhead = async ({ params: { project_id = "", name = "" } }: Call, table: Table): Promise<SavedEndpoint | undefined> => {
  if (!PROJECT.test(project_id)) return undefined;
  const found = await get(table, SavedEndpoints, { project: Number(project_id), name }, { consistent: true });
  if (found === undefined) throw notFound();
  return found;
};

const PROJECT = /^\d{1,15}$/;
