import * as z from "zod";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { counterKey, PARTITIONS, within } from "../table/partitions.ts";
import { SECRET_KEY_SCOPES } from "./scopes.ts";

export const ProjectSecretKey = z.object({
  id: z.guid(),
  hash: z.string(),
  mask_value: z.string(),
  /** Unique in the project. */
  label: z.string().min(1).max(40),
  project_id: z.int().positive(),
  organization_id: z.guid(),
  scopes: z.array(z.enum(SECRET_KEY_SCOPES)),
  created_at: z.string(),
  last_used_at: z.string().nullable().default(null),
  last_rolled_at: z.string().nullable().default(null),
});
export type ProjectSecretKey = z.output<typeof ProjectSecretKey>;

export const ProjectSecretKeys = entity({
  name: "project-secret-key",
  version: 1,
  schema: ProjectSecretKey,
  key: within("keys", PARTITIONS.keys.items.key),
  patterns: {
    ofProject: { index: "gsi1", pk: "project#{project_id}#secret-keys", sk: "{label}" },
    byId: { index: "gsi2", pk: "key-id#{id}", sk: "key" },
  },
});

/** Secret keys that one project may have. */
const MOST_KEYS = 50;

/** The secret keys of a project. */
export const secretKeysOfProject = (project: number): BoundedList => ({
  counter: counterKey("secretKeyCount", project),
  most: MOST_KEYS,
  full: `This project has ${MOST_KEYS} secret keys, which is as many as one project may have. Delete one first.`,
  recount: (table) => countThrough(table, ProjectSecretKeys, "ofProject", { project_id: project }),
});
