import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** The last UTC day (since 1970) of which an upstream billing service was told what an organization used. */
export const UsageReport = z.object({ organization_id: z.guid(), day: z.int() });
export type UsageReport = z.output<typeof UsageReport>;

export const UsageReports = entity({
  name: "billing-usage-report",
  version: 1,
  schema: UsageReport,
  key: within("billing", "usage-report", { organization: "organization_id" }),
  patterns: {},
});
