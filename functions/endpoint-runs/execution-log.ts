import type { World } from "../../lib/app/world.ts";
import { type Cache, cache, perOwner } from "../../lib/core/cache.ts";
import { shortened } from "../../lib/core/shortened.ts";
import { loggedEffort } from "../../lib/endpoints/effort.ts";
import { EndpointLogEntries, type EndpointLogEntry } from "../../lib/endpoints/endpoint-log-entries.ts";
import type { RunAnswer } from "../../lib/endpoints/run.ts";
import type { RunRequest } from "../../lib/endpoints/run-request.ts";
import type { SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { ApiError, passingError } from "../../lib/http/errors.ts";
import type { Table } from "../../lib/ports/table.ts";
import { put } from "../../lib/table/store.ts";
import { ageSeconds } from "./wire.ts";

type LogWorld = Pick<World, "table" | "clock" | "ids" | "log">;

/** Logs a run that was answered. The values of its variables are nobody's but the caller's: no entry holds one. */
export const logSuccess = (world: LogWorld, { endpoint, version, id, now }: RunRequest, answer: RunAnswer): Promise<void> => {
  const { path, passedOver, result, isKept, effort } = answer;
  const tokens = {
    path: pathToken(path, passedOver),
    cache: isKept ? "hit" : "miss",
    duration_ms: world.clock.now() - now,
    rows: result.rows.length,
    version: version.version,
    age_s: path === "live" ? undefined : ageSeconds(answer, now),
    passed_over: passedOver ?? undefined,
    ...(effort?.engine === "clickhouse" && loggedEffort(effort)),
  };
  return write(world, endpoint, id, "INFO", `Endpoint executed · ${tokenText(tokens)}`);
};

/** Logs a run that was allowed and failed. */
export const logFailure = (world: LogWorld, { endpoint, version, id }: RunRequest, error: unknown): Promise<void> => {
  const tokens = { path: "inline", version: version.version, error: errorName(error) };
  return write(world, endpoint, id, "ERROR", `Endpoint execution failed · ${tokenText(tokens)}`);
};

/** Logs a run that was not allowed: what it sent does not fit the endpoint. */
export const logRefusal = (world: LogWorld, endpoint: SavedEndpoint, error: unknown): Promise<void> =>
  write(world, endpoint, world.ids.uuid(), "ERROR", `Endpoint execution failed · invalid request · ${refusalReason(error)}`);

/** The caller wanted the events: the table was no worse for it. */
const WANTED = "direct";

const pathToken = (path: RunAnswer["path"], passedOver: string | null): string => {
  if (path === "materialised") return "materialized";
  return passedOver === null || passedOver === WANTED ? "inline" : "materialized_fallback";
};

const tokenText = (tokens: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(tokens)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(" ");

const errorName = (thrown: unknown): string => {
  const error = passingError(thrown) ?? thrown;
  return error instanceof ApiError ? (loggedBody(error).code ?? "error") : "error";
};

/** A field is called what the caller sent, of any length: a page of such entries would be no answer any more. */
const MAX_REASON = 300;

/** The field and the code. The sentence may quote what was sent; only the bodies that quote numbers alone are taken whole. */
const refusalReason = (thrown: unknown): string => {
  const error = passingError(thrown) ?? thrown;
  if (!(error instanceof ApiError)) return "error";
  const { attr, code, error: sentence } = loggedBody(error);
  return shortened(sentence ?? [attr, code].filter((part) => part !== undefined && part !== null).join(": "), MAX_REASON);
};

interface LoggedBody {
  readonly attr?: string | null;
  readonly code?: string;
  readonly error?: string;
}

/** Error bodies are ours: the standard form, or one sentence under `error`. */
const loggedBody = ({ body }: ApiError): LoggedBody => Object(body) as LoggedBody;

/** Entries that a process writes at once for an endpoint, and then one a second: a flood of runs is no flood of writes. */
const BURST = 60;
const EVERY_MS = 1_000;
const CAPACITY = 5_000;

interface Writes {
  /** By endpoint and level: the moment up to which entries are paid for, one second each. */
  readonly paidUntil: Cache<string, number>;
  /** Microseconds of the entry before, so that entries of one millisecond keep their order. */
  last: number;
}

const logWrites = perOwner((_: Table): Writes => ({ paidUntil: cache({ capacity: CAPACITY }), last: 0 }));

const mayWrite = ({ paidUntil }: Writes, name: string, now: number): boolean => {
  const paid = Math.max(paidUntil.get(name, now) ?? 0, now - BURST * EVERY_MS) + EVERY_MS;
  if (paid > now) return false;
  // Past that it says no more, and has to be forgotten where the clock is set back.
  paidUntil.set(name, paid, paid + BURST * EVERY_MS);
  return true;
};

/** An entry that is lost breaks nothing, so it fails no run. */
const write = async (
  world: LogWorld,
  { project, id }: SavedEndpoint,
  instance: string,
  level: EndpointLogEntry["level"],
  message: string,
): Promise<void> => {
  const now = world.clock.now();
  const writes = logWrites(world.table);
  if (!mayWrite(writes, `${id}#${level}`, now)) return;
  writes.last = Math.floor(writes.last / 1_000) === now ? writes.last + 1 : now * 1_000;
  try {
    await put(world.table, EndpointLogEntries, { project, endpoint_id: id, at: writes.last, instance_id: instance, level, message });
  } catch {
    world.log.line("warn", "execution_log_lost", { project, endpoint: id });
  }
};
