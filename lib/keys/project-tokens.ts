import { Defect } from "../core/unreachable.ts";
import type { Item, Write } from "../ports/table.ts";
import { tokenItem } from "./credential.ts";

/** The facts of a token that capture needs: found with one read at `tokenItem(token)`. Kept free of zod for capture's sake. */
export interface ProjectToken {
  readonly project_id: number;
  readonly organization_id: string;
  readonly state: "active" | "removed";
  /** Whether browsers' SDKs capture exceptions by themselves; they do unless the project says no. */
  readonly autocapture_exceptions: boolean;
}

const VERSION = 1;

/** The write that makes a token known. */
export const puttingToken = (
  token: string,
  {
    autocapture_exceptions = true,
    ...project
  }: Omit<ProjectToken, "autocapture_exceptions"> & Partial<Pick<ProjectToken, "autocapture_exceptions">>,
): Write => ({
  kind: "put",
  item: { ...tokenItem(token), entity: "project-token", v: VERSION, ...project, autocapture_exceptions },
});

/** The write that says whether browsers' SDKs capture exceptions for the project of a token. */
export const settingAutocaptureExceptions = (token: string, isOn: boolean): Write => ({
  kind: "update",
  key: tokenItem(token),
  change: { set: { autocapture_exceptions: isOn } },
});

/** A stored token item. */
export const decodeProjectToken = (item: Item): ProjectToken => {
  const { project_id, organization_id, state } = item;
  if (typeof project_id !== "number" || typeof organization_id !== "string" || (state !== "active" && state !== "removed")) {
    throw new Defect("a project token's item is malformed");
  }
  return { project_id, organization_id, state, autocapture_exceptions: item.autocapture_exceptions !== false };
};
