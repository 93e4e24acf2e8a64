import type { World } from "../../../lib/app/world.ts";
import { ApiError, invalid, throttled } from "../../../lib/http/errors.ts";
import type { Config } from "../../../lib/ports/config.ts";
import type { Integration } from "../../../lib/projects/integrations.ts";
import { deadline, ProviderFailure } from "./call.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { integrationToken } from "./integration-token.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import type { Connection, IssueTracker } from "./tracker.ts";

type Kind = Integration["kind"];

export const TRACKERS: Readonly<Record<Kind, IssueTracker>> = { github, gitlab, linear, jira };

const apiBase = (kind: Kind, config: Config): string =>
  ({ github: config.githubApi, gitlab: config.gitlabOrigin, linear: config.linearApi, jira: config.jiraApi })[kind];

/** An integration as its adapter needs it to name issues, without its token. Only the deployment's settings say where calls go. */
export const trackerConnection = ({ kind, config }: Integration, settings: Config): Connection => ({
  kind,
  base: apiBase(kind, settings),
  config,
  signal: deadline(),
});

/** A connection that can call the provider. Throws `ProviderFailure` where the integration's token cannot be read. */
export const withToken = async (
  world: Pick<World, "tokenKeys" | "log">,
  connection: Connection,
  integration: Integration,
): Promise<Connection> => {
  const token = await integrationToken(world, integration);
  return token === undefined ? connection : { ...connection, config: { ...connection.config, access_token: token } };
};

/** The name of an integration: the one that the operator gave it, or whose it is. */
export const displayName = ({ kind, config }: Integration): string => {
  const names = [config.display_name, config.organization, config.project, config.workspace, config.site_url];
  return names.find((name) => typeof name === "string" && name !== "")?.toString() ?? kind;
};

/** Does `ask`. Where the provider fails, throws the answer to the caller: 429 where it has had too many calls, else 400. */
export const withProviderErrors = async <T>(kind: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.waitSeconds !== null) throw throttled(error.waitSeconds);
    const told = invalid(null, `The ${kind} integration could not do this: ${error.message}. Check that it is connected and may do it.`);
    throw new ApiError(told.status, told.body, { cause: error });
  }
};
