import * as z from "zod";
import { isCanonicalUuid } from "../../lib/core/uuid.ts";
import { bare } from "../../lib/http/errors.ts";

/** Most accounts of a page. */
const MOST = 100;

/** Parameters arrive as text and are read by the operation itself, because what is wrong with them has a body of its own. */
export const ListQuery = z.object({
  limit: z.string().optional().meta({
    type: "integer",
    minimum: 1,
    maximum: MOST,
    default: MOST,
    description: "Accounts of a page; a number beyond the range counts as its nearest end.",
  }),
  cursor: z.string().optional().meta({ format: "uuid", description: "`next_cursor` of the page before." }),
  assigned_only: z
    .string()
    .optional()
    .meta({ type: "boolean", description: "Only accounts to which a current member of the organization is assigned." }),
  include_ignored: z.string().optional().meta({ type: "boolean", description: "Whether to list ignored accounts, too." }),
});

export interface ListParameters {
  readonly limit: number;
  readonly cursor: string | null;
  readonly assigned_only: boolean;
  readonly include_ignored: boolean;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false };

/** Throws 400 with what is wrong with each parameter. */
export const listParameters = (query: z.output<typeof ListQuery>): ListParameters => {
  const errors: Record<string, string[]> = {};
  const refuse = <T>(name: string, text: string, instead: T): T => {
    errors[name] = [text];
    return instead;
  };
  const flag = (name: "assigned_only" | "include_ignored"): boolean => {
    const text = query[name]?.trim().toLowerCase();
    if (text === undefined) return false;
    return Object.hasOwn(FLAGS, text) ? FLAGS[text] === true : refuse(name, "Must be a valid boolean.", false);
  };
  const whole = query.limit?.trim() ?? String(MOST);
  const limit = /^[+-]?\d+$/.test(whole)
    ? Math.min(MOST, Math.max(1, Number(whole)))
    : refuse("limit", "A valid integer is required.", MOST);
  const id = query.cursor?.trim().toLowerCase() ?? "";
  const cursor = id === "" ? null : isCanonicalUuid(id) ? id : refuse("cursor", "Must be a valid account id.", null);
  const read = { limit, cursor, assigned_only: flag("assigned_only"), include_ignored: flag("include_ignored") };
  if (Object.keys(errors).length > 0) throw bare(400, { error: errors });
  return read;
};
