import * as z from "zod";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { counterKey, within } from "../table/partitions.ts";

export const INTEGRATION_KINDS = ["github", "gitlab", "linear", "jira"] as const;

/** A project's connection to a provider of issues or code. */
export const Integration = z.object({
  id: z.int().positive(),
  project_id: z.int().positive(),
  kind: z.enum(INTEGRATION_KINDS),
  /** What the operator gave but the token, which stands among it only where an earlier release has written it. */
  config: z.record(z.string(), z.json()),
  /** The token, encrypted, with the name of its key: `integration-tokens.ts` reads it. */
  sealed_token: z.object({ key: z.string(), text: z.string() }).nullable().default(null),
  created_at: z.string(),
});
export type Integration = z.output<typeof Integration>;

export const Integrations = entity({
  name: "integration",
  version: 1,
  schema: Integration,
  key: within("project", "integration#{id}", { project: "project_id" }),
  patterns: {},
});

/** Integrations of one project. */
const MOST_INTEGRATIONS = 50;

/** The integrations of a project. */
export const integrationsOfProject = (project: number): BoundedList => ({
  counter: counterKey("integrationCount", project),
  most: MOST_INTEGRATIONS,
  full: `A project has at most ${MOST_INTEGRATIONS} integrations.`,
  recount: (table) => countThrough(table, Integrations, "key", { project_id: project }),
});
