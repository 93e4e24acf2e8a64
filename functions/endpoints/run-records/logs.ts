import * as z from "zod";
import { EndpointLogEntries, type EndpointLogEntry, LOG_LEVELS } from "../../../lib/endpoints/endpoint-log-entries.ts";
import type { SavedEndpoint } from "../../../lib/endpoints/saved-endpoints.ts";
import { integer, microseconds } from "../../../lib/http/fields.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { type EntityPage, type ListOptions, page } from "../../../lib/table/store.ts";

const DEFAULT_ENTRIES = 50;
const MAX_ENTRIES = 500;
/** Entries that one call looks through, in pages of so many; whoever seeks farther back follows `next`. */
const MAX_SEEN = 5_000;
const SEEN_AT_ONCE = 1_000;

const Levels = z
  .string()
  .transform((text) => text.split(",").map((level) => level.trim().toUpperCase()))
  .pipe(z.array(z.string()))
  .refine((levels) => levels.every((level) => LOG_LEVELS.some((known) => known === level)), {
    error: `Each must be one of ${LOG_LEVELS.join(", ")}.`,
    params: { code: "invalid_choice" },
  });

export const LogQuery = z.object({
  after: microseconds().optional().meta({ description: "Only entries after this moment." }),
  before: microseconds().optional().meta({ description: "Only entries before this moment." }),
  instance_id: z.string().min(1).optional().meta({ description: "Only entries of this execution." }),
  level: Levels.optional().meta({
    type: "string",
    description: `Only entries of these levels, separated by commas: ${LOG_LEVELS.join(", ")}.`,
  }),
  search: z.string().min(1).optional().meta({ description: "Only entries whose message holds this text, in any case." }),
  limit: integer({ min: 1, max: MAX_ENTRIES })
    .optional()
    .meta({ description: `Entries at most; ${DEFAULT_ENTRIES} when left out.` }),
});
type LogFilter = z.output<typeof LogQuery>;

export const LogEntry = z
  .object({
    log_source_id: z.guid(),
    instance_id: z.guid(),
    timestamp: z.string(),
    level: z.enum(LOG_LEVELS),
    message: z.string(),
  })
  .meta({ id: "EndpointLogEntry" });

/** The newest entries of an endpoint's log that fit. `count` is that of the entries looked through; `next` continues behind them. */
export const endpointLogs = async (table: Table, endpoint: SavedEndpoint, filter: LogFilter, request: HttpRequest) => {
  const limit = filter.limit ?? DEFAULT_ENTRIES;
  const { entries, cut } = await fittingEntries(table, endpoint, filter);
  const shown = entries.slice(0, limit);
  const last = shown.length < entries.length ? shown.at(-1)?.at : cut;
  return {
    count: entries.length,
    next: last === undefined ? null : addressBefore(request, last),
    previous: null,
    results: shown.map(({ endpoint_id, instance_id, at, level, message }) => ({
      log_source_id: endpoint_id,
      instance_id,
      timestamp: isoMicrosText(at),
      level,
      message,
    })),
  };
};

/** The entries that fit, newest first, and the time of the one at which looking was cut off, if it was. */
const fittingEntries = async (
  table: Table,
  { project, id }: SavedEndpoint,
  filter: LogFilter,
): Promise<{ readonly entries: readonly EndpointLogEntry[]; readonly cut: number | undefined }> => {
  const { after, before } = filter;
  // No key holds a time before 1970.
  if (before !== undefined && before <= 0) return { entries: [], cut: undefined };
  const bounds = { ...(after !== undefined && { from: keyTime(after + 1) }), ...(before !== undefined && { to: keyTime(before - 1) }) };
  const entries: EndpointLogEntry[] = [];
  let seen = 0;
  let cursor: string | null = null;
  do {
    const options: ListOptions = { ...bounds, consistent: true, descending: true, limit: SEEN_AT_ONCE, cursor };
    const found: EntityPage<EndpointLogEntry> = await page(table, EndpointLogEntries, "key", { project, endpoint_id: id }, options);
    entries.push(...found.items.filter((entry) => fits(entry, filter)));
    seen += found.items.length;
    cursor = found.cursor;
    const last = found.items.at(-1);
    if (seen >= MAX_SEEN && cursor !== null && last !== undefined) return { entries, cut: last.at };
  } while (cursor !== null);
  return { entries, cut: undefined };
};

/** The nearest time that a key holds, in microseconds: they go from 1970 to 2255. */
const keyTime = (at: number): number => Math.min(Math.max(0, at), Number.MAX_SAFE_INTEGER);

const fits = (entry: EndpointLogEntry, { instance_id, level, search }: LogFilter): boolean =>
  (instance_id === undefined || entry.instance_id === instance_id) &&
  (level === undefined || level.includes(entry.level)) &&
  (search === undefined || entry.message.toLowerCase().includes(search.toLowerCase()));

/** The same address with what lies before this moment. */
const addressBefore = (request: HttpRequest, at: number): string => {
  const query = new URLSearchParams(request.query.filter(([name]) => name !== "before").map(([...pair]) => pair));
  query.set("before", isoMicrosText(at));
  return `${request.origin}${request.path}?${query}`;
};

/** ISO 8601 with microseconds. */
const isoMicrosText = (at: number): string =>
  new Date(Math.floor(at / 1_000)).toISOString().replace("Z", `${String(at % 1_000).padStart(3, "0")}Z`);
