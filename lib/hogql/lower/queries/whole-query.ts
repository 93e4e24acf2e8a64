import { type Sql, separated, sql } from "../../sql/fragment.ts";
import type { PrintedParts } from "./partial-query.ts";

/** A query with its WITH, as it stands inside of others. */
export const wholeQuery = ({ shared, body }: PrintedParts): Sql => (shared.length === 0 ? body : sql`WITH ${separated(shared)} ${body}`);
