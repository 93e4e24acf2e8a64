import { Defect } from "../../core/unreachable.ts";
import type { Item, Write } from "../../ports/table.ts";
import { tokenItemOf } from "./credential.ts";

/** What capture needs to know of a token: found with one read at `tokenItemOf(token)`. Kept free of zod for capture's sake. */
export interface ProjectToken {
  readonly project_id: number;
  readonly organization_id: string;
  readonly state: "active" | "removed";
}

const VERSION = 1;

/** The write that makes a token known. */
export const puttingToken = (token: string, { project_id, organization_id, state }: ProjectToken): Write => ({
  kind: "put",
  item: { ...tokenItemOf(token), entity: "project-token", v: VERSION, project_id, organization_id, state },
});

/** A stored token item. */
export const projectTokenOf = (item: Item): ProjectToken => {
  const { project_id, organization_id, state } = item;
  if (typeof project_id !== "number" || typeof organization_id !== "string" || (state !== "active" && state !== "removed")) {
    throw new Defect("a project token's item is malformed");
  }
  return { project_id, organization_id, state };
};
