import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { isUpstream } from "../../../lib/billing/billing-service.ts";
import { isoDay, SECOND_MS } from "../../../lib/core/time.ts";
import { throttled } from "../../../lib/http/errors.ts";
import type { SentFile } from "../../../lib/http/reply.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { type Condition, ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { TTL_ATTRIBUTE } from "../../../lib/table/layout.ts";
import { keyIn } from "../../../lib/table/partitions.ts";
import { upstreamRows } from "../upstream/answer.ts";
import { csv, csvRows, type Rows } from "./csv.ts";
import { deliver } from "./deliver.ts";
import { type Figures, readSpent, readUsed } from "./figures.ts";
import { bucketsBetween, rankedLines, withAggregate } from "./lines.ts";
import { checkPaging } from "./page.ts";
import { type ExportQuery, type Measure, type SeriesQuery, type SeriesRequest, seriesRequest } from "./query.ts";
import { findScope, type Scope } from "./scope.ts";
import { projectNames } from "./wire.ts";

/** All series of a question as one CSV file. Throws 400, 403 and 429. */
export const exportSeries = (
  measure: Measure,
  world: World,
  grant: BillingGrant,
  query: ExportQuery,
  asked: HttpRequest,
): Promise<SentFile> => inPlace(world, grant.caller.user.id, () => makeFile(measure, world, grant, query, asked));

const makeFile = async (measure: Measure, world: World, grant: BillingGrant, query: ExportQuery, asked: HttpRequest): Promise<SentFile> => {
  const request = seriesRequest(query, world.clock.now());
  // A file has all series and no pages; the parameters are refused as those of the series are.
  checkPaging(query, request);
  const scope = await findScope(world.table, grant, request.projects, "export");
  const rows = await (isUpstream(world) ? upstreamRows : ownRows)(measure, world, grant, request, scope);
  const sent = await deliver(world, asked, grant.organization.id, fileName(measure, query, request), csv(rows, measure));
  return sent.kind === "elsewhere" && query.redirect === "false" ? { ...sent, kind: "told" } : sent;
};

/** With the days that were asked for, where any were. */
const fileName = (measure: Measure, { start_date, end_date }: SeriesQuery, { from, to }: SeriesRequest): string =>
  start_date === undefined && end_date === undefined ? `${measure}.csv` : `${measure}_${isoDay(from)}_${isoDay(to)}.csv`;

const ownRows = (measure: Measure, world: World, grant: BillingGrant, request: SeriesRequest, scope: Scope): Promise<Rows> => {
  const organization = grant.organization.id;
  return measure === "usage"
    ? readUsed(world, organization, request, scope).then((figures) => makeRows(measure, world.table, request, figures))
    : readSpent(world, organization, request, scope).then((figures) => makeRows(measure, world.table, request, figures));
};

const makeRows = async <A>(
  measure: Measure,
  table: Table,
  request: SeriesRequest,
  { unit, amounts, isUsed, products }: Figures<A>,
): Promise<Rows> => {
  const lines = await withAggregate(rankedLines(amounts, request, unit), request, isUsed);
  const names = await projectNames(table, lines);
  const buckets = bucketsBetween(request);
  return { dates: buckets.dates, rows: csvRows(lines, { unit, request, buckets, measure, names, products }) };
};

/** Files that one person may have made at once. */
const PLACES = 3;

/** A place whose holder was cut off is free after this: no request lasts longer. */
const HELD_MS = 60_000;

/** Holds one of the caller's places while a file is made. Throws 429 where none is free. */
const inPlace = async <T>(world: Pick<World, "table" | "clock">, user: number, work: () => Promise<T>): Promise<T> => {
  const place = await take(world, user);
  try {
    return await work();
  } finally {
    await give(world, user, place);
  }
};

interface ExportSlot {
  readonly name: string;
  readonly until: number;
}

const slotKey = (user: number) => keyIn("throttle", "throttle", { kind: "user", who: String(user), rate: "downloads" });

const take = async ({ table, clock }: Pick<World, "table" | "clock">, user: number): Promise<ExportSlot> => {
  const now = clock.now();
  const until = now + HELD_MS;
  for (let at = 0; at < PLACES; at += 1) {
    const name = `place_${at}`;
    const free: Condition = {
      kind: "any",
      of: [
        { kind: "lacks", attribute: name },
        { kind: "less", attribute: name, value: now },
      ],
    };
    const set = { entity: "throttle", v: 1, [name]: until, [TTL_ATTRIBUTE]: Math.ceil(until / SECOND_MS) };
    if (await holds(() => table.update(slotKey(user), { set }, free))) return { name, until };
  }
  throw throttled(1);
};

/** A place that somebody else has got meanwhile stays theirs. */
const give = async ({ table }: Pick<World, "table">, user: number, { name, until }: ExportSlot): Promise<void> => {
  await holds(() => table.update(slotKey(user), { remove: [name] }, { kind: "equals", attribute: name, value: until }));
};

const holds = async (write: () => Promise<unknown>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};
