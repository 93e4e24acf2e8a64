import type { Access, Call, Identity } from "../http/access.ts";
import { bare } from "../http/errors.ts";
import { missingScope, type Scope } from "../keys/scopes.ts";
import type { Ports } from "../ports/ports.ts";
import type { Project } from "../projects/projects.ts";
import { scopesFor } from "./access.ts";
import { findCaller, findOrganization, findProject, type SecretCaller, type TeamCaller } from "./callers.ts";
import { countRequest } from "./rates/throttle.ts";

/** A project's back end acting on the project's accounts. */
export interface AccountGrant {
  readonly project: Project;
}

export interface AccountOptions {
  /** Whether the project's older secret token is taken, too. */
  readonly teamTokens?: true;
  /** All secret keys of a project are counted together; without it each by itself. */
  readonly together?: true;
  /** What is said of a key that opens nothing here; without it the reason is told. */
  readonly refusal?: string;
}

/**
 * The secret key of a project with the scope, or where the operation says so the project's secret token, in the header and nowhere
 * else. The key says which project is meant. Errors have a body of their own, which tells nothing about keys that are not taken.
 */
export const accountKey = (scope: Scope, { teamTokens, together, refusal }: AccountOptions = {}): Access<Ports, AccountGrant> => {
  const unauthorized = (reason: string) => bare(401, { error: refusal ?? reason });
  return Object.freeze({
    rule: { level: "account", scopes: [scope], secretKeys: true, teamTokens: teamTokens ?? false } as const,
    async identify(call: Call, world: Ports): Promise<Identity<AccountGrant>> {
      const value = presented(call, unauthorized);
      const caller = await findCaller(world, value, call.request.ip);
      const isTaken = caller?.kind === "secret" || (caller?.kind === "team" && teamTokens === true);
      const project = isTaken ? await openProject(world, caller) : undefined;
      if (!isTaken || project === undefined) {
        // Whatever is not taken is counted together, by where it comes from.
        await countRequest(world, `source#${call.request.ip}`, "account");
        throw unauthorized("Invalid API key");
      }
      return {
        async admit(rate) {
          const missing = caller.kind === "secret" ? missingScope(caller.key.scopes, scopesFor(call, [scope])) : undefined;
          if (missing !== undefined) throw bare(403, { error: `API key missing required scope '${missing}'` });
          return {
            grant: { project },
            project: project.id,
            throttle: () => countRequest(world, together ? `project#${project.id}` : `key#${caller.key.hash}`, rate),
          };
        },
      };
    },
  });
};

const BEARER = /^Bearer(?:\s+(.*))?$/;

const presented = ({ request }: Call, unauthorized: (reason: string) => Error): string => {
  const match = BEARER.exec(request.headers.authorization?.trim() ?? "");
  if (match === null) throw unauthorized("Missing or invalid Authorization header");
  const value = match[1]?.trim() ?? "";
  if (value === "") throw unauthorized("Empty API key");
  return value;
};

/** The key's project, unless it or its organization was removed or deactivated, or has this turned off. */
const openProject = async (world: Ports, { key }: SecretCaller | TeamCaller): Promise<Project | undefined> => {
  const [project, organization] = await Promise.all([findProject(world, key.project_id), findOrganization(world, key.organization_id)]);
  return organization?.is_active && organization.customer_analytics ? project : undefined;
};
