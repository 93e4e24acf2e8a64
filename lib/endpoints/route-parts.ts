import * as z from "zod";
import { projectKey } from "../auth/access.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Access, Call } from "../http/access.ts";
import { notFound } from "../http/errors.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import type { Project } from "../projects/projects.ts";
import { decode } from "../table/entity.ts";
import { type ReadBeside, readBeside } from "../table/read-beside.ts";
import { possibleKey } from "../table/store.ts";
import { requireEndpoint } from "./load.ts";
import { parseVersion, type RequestedVersion } from "./requested-version.ts";
import { type SavedEndpoint, SavedEndpoints } from "./saved-endpoints.ts";

/** Saved queries are found under both names of a project's place; ids are the same numbers. */
const BASE_PATHS = ["/api/projects/{project_id}/endpoints", "/api/environments/{project_id}/endpoints"] as const;
type BasePath = (typeof BASE_PATHS)[number];

/** The same operation under each base path. */
export const underEachBase = <R>(declare: (base: BasePath) => R): readonly R[] => BASE_PATHS.map(declare);

export const ENDPOINT_TAGS = ["Endpoints"];

export const readEndpoints = projectKey("endpoint:read");

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
          const beside = namedByNumber(call, world.table);
          const admission = await identity.admit(rate, beside);
          const { project } = admission.grant;
          const endpoint = () =>
            beside === undefined ? requireEndpoint(world.table, project.id, call.params.name ?? "") : foundEndpoint(beside);
          return { ...admission, grant: { ...admission.grant, endpoint } };
        },
      };
    },
  } satisfies Access<Ports, G & EndpointGrant>);

/** The endpoint of a project whose path names it by its number; undefined where it is not a number, or nothing can have the name. */
const namedByNumber = ({ params: { project_id = "", name = "" } }: Call, table: Table): ReadBeside | undefined => {
  const key = PROJECT.test(project_id) ? possibleKey(SavedEndpoints, { project: Number(project_id), name }) : undefined;
  return key && readBeside(table, key);
};

const foundEndpoint = async (reading: ReadBeside): Promise<SavedEndpoint> => {
  const stored = await reading.item();
  if (stored === undefined) throw notFound();
  return decode(SavedEndpoints, stored);
};

const PROJECT = /^\d{1,15}$/;

/** Of an operation on the endpoint that its path names. */
export const readEndpoint = withEndpoint(readEndpoints);

const versionNumber = z.string().transform((text, context): RequestedVersion => {
  const version = parseVersion(text);
  if (version !== undefined) return version;
  context.addIssue("A valid integer is required.");
  return z.NEVER;
});

export const VersionQuery = z.object({
  version: versionNumber.optional().meta({ type: "integer", description: "A specific version; the current one when left out." }),
});

export const UnknownVersion = {
  status: 404,
  description: "No endpoint of this name (the standard error body), or no such version.",
  body: z.object({ error: z.string() }).meta({ id: "UnknownVersionError" }),
} as const;

/** The base URL of links. */
export const publicOrigin = (world: EnginePorts, request: HttpRequest): string => world.config.baseUrl || request.origin;
