import * as z from "zod";
import { GROUPING_VERSIONS } from "../event/grouping-versions.ts";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { PARTITIONS, within } from "../table/partitions.ts";
import { get } from "../table/store.ts";

const PROJECT_STATES = ["active", "removed"] as const;

/** What becomes of events that come for an erased id. */
export const ERASED_IDS = ["refuse", "keep"] as const;

/** A century: beyond it nobody means a number of months. */
export const MOST_RETENTION_MONTHS = 1_200;

export const Project = z.object({
  id: z.int().positive(),
  uuid: z.guid(),
  organization_id: z.guid(),
  name: z.string().min(1).max(200),
  /** Public: SDKs send it. */
  api_token: z.string(),
  /** The team secret token is kept hashed, under its own item; this is what may be shown of it. */
  secret_token_mask: z.string(),
  timezone: z.string().default("UTC"),
  /** The group type whose `$group_identify` makes external accounts. */
  account_group_type: z.string().max(400).nullable().default(null),
  /** Whether browsers' SDKs capture exceptions by themselves. */
  autocapture_exceptions: z.boolean().default(true),
  /** `removed` is the tombstone: ids are never used again. */
  /** The version of the algorithm that groups its exceptions; a project that says nothing is older than the second. */
  grouping_version: z.literal(GROUPING_VERSIONS).optional(),
  /** The one before it was switched: issues that were found by it are found still. */
  grouping_version_before: z.literal(GROUPING_VERSIONS).optional(),
  state: z.enum(PROJECT_STATES).default("active"),
  is_demo: z.boolean().default(false),
  /** Whether events that come for an erased id are dropped, or kept as those of somebody new. */
  erased_ids: z.enum(ERASED_IDS).default("refuse"),
  /** Whole months for which events are kept besides the one that runs; null for ever. */
  retention_months: z.int().min(1).max(MOST_RETENTION_MONTHS).nullable().default(null),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Project = z.output<typeof Project>;

export const Projects = entity({
  name: "project",
  version: 1,
  schema: Project,
  key: within("project", PARTITIONS.project.items.project, { project: "id" }),
  patterns: { ofOrganization: { index: "gsi1", pk: "organization#{organization_id}#projects", sk: "{id}" } },
});

/** Gives the organization that a project belongs to; undefined for one that was never described. */
export const organizationOfProject =
  (table: Table) =>
  async (project: number): Promise<string | undefined> =>
    (await get(table, Projects, { id: project }, { consistent: true }))?.organization_id;
