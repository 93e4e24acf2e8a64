import * as z from "zod";
import { text } from "../../../lib/http/fields.ts";

export const FORMATS = ["csv", "jsonl", "parquet"] as const;
export type Format = (typeof FORMATS)[number];

/** The body that asks for a file; a field that is not named here is refused by its name. */
export const ExportBody = z
  .strictObject({
    endpoint: text({ max: 128 }),
    version: z.int().min(1).nullish(),
    variables: z.record(z.string(), z.unknown()).nullish(),
    format: z.enum(FORMATS).default("csv"),
  })
  .meta({ id: "EndpointExportRequest" });
export type ExportBody = z.output<typeof ExportBody>;

/** A file of rows, and where it is fetched. */
export const EndpointExport = z
  .object({
    id: z.string(),
    state: z.literal("completed"),
    endpoint: z.string(),
    version: z.int(),
    format: z.enum(FORMATS),
    rows: z.int(),
    bytes: z.int(),
    created_at: z.string(),
    expires_at: z.string(),
    download_url: z.url(),
  })
  .meta({ id: "EndpointExport" });
export type EndpointExport = z.input<typeof EndpointExport>;
