import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { Unavailable } from "../../../lib/core/unavailable.ts";
import { json } from "../../../lib/http/reply.ts";
import type { Secret } from "../../../lib/ports/secret.ts";
import type { Clock } from "../../../lib/ports/system.ts";
import { hasToken } from "../../../lib/projects/integration-tokens.ts";
import { Integrations } from "../../../lib/projects/integrations.ts";
import { page } from "../../../lib/table/store.ts";
import { BASE, read, TAGS } from "../place.ts";
import { deadline, ProviderFailure } from "../providers/call.ts";
import { type CodeSearch, type FindFile, githubFile, gitlabFile } from "../providers/code-search.ts";
import { integrationToken } from "../providers/integration-token.ts";

/** Characters of a line of code that are looked for, and of a name: no page is found by longer ones. */
const MOST_CHARACTERS = 1_000;

const part = (description: string) => z.string().optional().meta({ description });

const Query = z.object({
  owner: part("The user, organization or group that the repository belongs to."),
  repository: part("Name of the repository, without its owner."),
  code_sample: part("The line of code to look for, as it stands in the source."),
  file_name: part("Name or path of the file in which the line stands."),
});

const Resolved = z
  .object({ found: z.boolean(), url: z.string().exactOptional(), error: z.string().exactOptional() })
  .meta({ id: "ErrorTrackingFileLink" });

/** Integrations of a project that are looked at. */
const MOST_INTEGRATIONS = 50;

/** Tokens that one call tries. */
const MOST_TOKENS = 3;

const resolveRoute = (kind: "github" | "gitlab", name: string, find: FindFile) => {
  const shared = publicToken();
  const resolve = async (world: World, project: number, search: CodeSearch): Promise<string | undefined> => {
    const { config, clock, table } = world;
    const base = kind === "github" ? config.githubApi : config.gitlabOrigin;
    const signal = deadline();
    const own = kind === "github" ? config.githubToken : config.gitlabToken;
    const shown = await quietly(() => shared.use(own, clock, (token) => find({ base, token, signal }, search)));
    if (shown !== undefined) return shown;
    const { items } = await page(table, Integrations, "key", { project_id: project }, { limit: MOST_INTEGRATIONS });
    for (const integration of items.filter((each) => each.kind === kind && hasToken(each)).slice(0, MOST_TOKENS)) {
      const found = await quietly(async () => {
        const token = await integrationToken(world, integration);
        return token ? find({ base, token, signal }, search) : undefined;
      });
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return route({
    method: "GET",
    path: `${BASE}/git-provider-file-links/resolve_${kind}/`,
    summary: `Find the page of ${name} that shows a line of code`,
    description: "Always 200: `found` says whether there is such a page. Asked with the deployment's own token, then with the project's.",
    tags: TAGS,
    access: read,
    query: Query,
    reply: json(200, Resolved),
    async handle({ query: { owner, repository, code_sample, file_name }, grant, world }) {
      const sent = [owner, repository, code_sample, file_name].map((text) => text?.trim() ?? "");
      const [ownerText = "", repositoryText = "", code = "", fileName = ""] = sent;
      if (sent.includes("")) return { found: false, error: "owner, repository, code_sample, and file_name are required" };
      if (sent.some((text) => text.length > MOST_CHARACTERS)) return { found: false };
      const url = await resolve(world, grant.project.id, { owner: ownerText, repository: repositoryText, code, fileName });
      return url === undefined ? { found: false } : { found: true, url };
    },
  });
};

/** After so many refusals in a row a token is taken to be revoked. */
const MOST_REFUSALS = 3;

/** How long it is not tried then, milliseconds. */
const PAUSE_MS = 10 * 60_000;

/** Remembers, as long as the process lives, whether the deployment's own token still opens anything. */
const publicToken = () => {
  let known = "";
  let refusals = 0;
  let resting = 0;
  return {
    /** Does what the token is for, and notes what came of it. Undefined where there is no token, or it is not to be tried. */
    async use<T>(own: Secret, clock: Clock, ask: (token: string) => Promise<T>): Promise<T | undefined> {
      const token = await own.read();
      if (token !== known) [known, refusals, resting] = [token, 0, 0];
      if (token === "" || clock.now() < resting) return undefined;
      try {
        const found = await ask(token);
        refusals = 0;
        return found;
      } catch (error) {
        if (error instanceof ProviderFailure && error.status === 401) {
          own.renew();
          refusals += 1;
        }
        if (refusals >= MOST_REFUSALS) {
          resting = clock.now() + PAUSE_MS;
          refusals = 0;
        }
        throw error;
      }
    },
  };
};

/** A provider that fails has not found the page; nor has one that nobody can ask. */
const quietly = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailure || error instanceof Unavailable) return undefined;
    throw error;
  }
};

export const fileLinkRoutes = [resolveRoute("github", "GitHub", githubFile), resolveRoute("gitlab", "GitLab", gitlabFile)];
