import { canonicalJsonWithoutNulls } from "../../lib/core/canonical-json.ts";
import { isoMicros } from "../../lib/core/time.ts";
import { accept } from "../../lib/endpoints/accept.ts";
import { type AcceptedQuery, type StoredQuery, storedBreakdowns, storedQuery } from "../../lib/endpoints/definition.ts";
import { findMaterialisation, type Materialisation } from "../../lib/endpoints/materialisations.ts";
import { tableRefusal } from "../../lib/endpoints/materialise.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import type { EndpointBody } from "./bodies.ts";
import type { Author, SaveWorld } from "./create.ts";
import { cannotMaterialise, checkActive, checkEngine, checkFreshness, checkSettings, tidyTags } from "./settings.ts";

/** The target of an update, and the body that was sent. */
export interface EndpointUpdate {
  readonly endpoint: SavedEndpoint;
  /** The version that was named, else the current one. */
  readonly target: EndpointVersion;
  readonly isNamed: boolean;
  readonly body: EndpointBody;
}

/** The endpoint and the version that an update leads to, before anything is written. */
export interface UpdatePlan {
  readonly endpoint: Pick<SavedEndpoint, "updated_at" | "is_active" | "tags" | "current_version" | "current_version_id">;
  readonly version: EndpointVersion;
  /** The changes to the version; undefined for a new one. */
  readonly changes: Partial<EndpointVersion> | undefined;
  /** The version's table as it was before; undefined where there was none, and for a new version. */
  readonly before: Materialisation | undefined;
  /** Why a new version gets no table, though it was to have one. */
  readonly refusal: string | null;
}

/** Refuses what is wrong with an update, and says what it makes of the endpoint. */
export const planUpdate = async (world: SaveWorld, author: Author, update: EndpointUpdate): Promise<UpdatePlan> => {
  const { endpoint, target, isNamed, body } = update;
  const accepted = body.query ? await accept(body.query, world, author.project) : undefined;
  const settings = updatedSettings(update, accepted?.query ?? storedQuery(target));
  const at = after(endpoint.updated_at, world.clock.now());
  const renewed = accepted !== undefined && differs(accepted, target) ? accepted : undefined;
  const isActive = isNamed ? endpoint.is_active : (body.is_active ?? endpoint.is_active);
  const table = await planTable(world, author, update, { accepted, renewed, isActive, ...settings });
  const changes = {
    ...settings,
    has_table: table.isWanted && table.refusal === null,
    updated_at: at,
    is_active: isNamed ? (body.is_active ?? target.is_active) : target.is_active,
  };
  const version: EndpointVersion = renewed
    ? { ...nextVersion(target, renewed, world.ids.uuid(), author.user, at), ...settings, has_table: changes.has_table }
    : { ...target, ...changes };
  return {
    endpoint: {
      updated_at: at,
      is_active: isActive,
      tags: body.tags ? tidyTags(body.tags) : endpoint.tags,
      current_version: renewed ? version.version : endpoint.current_version,
      current_version_id: renewed ? version.id : endpoint.current_version_id,
    },
    version,
    changes: renewed ? undefined : changes,
    before: renewed ? undefined : table.before,
    refusal: table.refusal,
  };
};

/** Settings of a version as sent, else as before. */
const updatedSettings = ({ body, target }: EndpointUpdate, query: StoredQuery) => {
  const freshness = "data_freshness_seconds" in body ? checkFreshness(body.data_freshness_seconds) : target.data_freshness_seconds;
  const engine = "engine" in body ? checkEngine(body.engine) : target.engine;
  checkSettings(body, query);
  return {
    description: body.description ?? target.description,
    data_freshness_seconds: freshness,
    engine,
    bucket_overrides: body.bucket_overrides ?? target.bucket_overrides,
    optional_breakdown_properties: optionalBreakdowns(body, target, query),
  };
};

interface TableWish {
  readonly accepted: AcceptedQuery | undefined;
  readonly renewed: AcceptedQuery | undefined;
  readonly isActive: boolean;
  readonly bucket_overrides: EndpointVersion["bucket_overrides"];
}

/**
 * Whether the version is to have a table, and why it gets none. Only a new version of one that has a table is saved without it:
 * whoever changes a query must not be kept from it by what the table cannot do.
 */
const planTable = async (world: SaveWorld, author: Author, { target, isNamed, body }: EndpointUpdate, wish: TableWish) => {
  const { accepted, renewed, isActive, bucket_overrides } = wish;
  const stays = isActive && !(isNamed && body.is_active === false);
  // Whoever says which it is to be is not kept from it by what the version says of its table.
  const isLooked = target.has_table || typeof body.is_materialized === "boolean";
  const before = isLooked ? await findMaterialisation(world.table, target) : undefined;
  const hadTable = target.has_table && before !== undefined;
  const isWanted = body.is_materialized ?? (hadTable && stays);
  if (body.is_materialized === true) checkActive(stays);
  const isAsked = isWanted && (renewed !== undefined || !hadTable || body.bucket_overrides);
  const refusal = isAsked
    ? await tableRefusal(world, author.project, {
        ...(accepted ?? target),
        query: accepted?.query ?? storedQuery(target),
        bucket_overrides,
      })
    : null;
  if (refusal !== null && !(renewed && hadTable)) throw cannotMaterialise(refusal);
  return { before, isWanted, refusal };
};

/** Every update has a time of its own, so that what was remembered of the endpoint before it is known to be old. */
const after = (before: string, now: number): string => {
  const at = isoMicros(now);
  if (at > before) return at;
  const micros = Number(before.slice(-4, -1)) + 1;
  return micros < 1_000 ? `${before.slice(0, -4)}${String(micros).padStart(3, "0")}Z` : isoMicros(Date.parse(before) + 1);
};

/** As sent, else as before as far as the query still has them. */
const optionalBreakdowns = (body: EndpointBody, before: EndpointVersion, query: StoredQuery): string[] => {
  if (body.optional_breakdown_properties) return [...new Set(body.optional_breakdown_properties)];
  const names = storedBreakdowns(query);
  return before.optional_breakdown_properties.filter((name) => names.includes(name));
};

const differs = (accepted: AcceptedQuery, current: EndpointVersion): boolean =>
  canonicalJsonWithoutNulls(accepted.query) !== canonicalJsonWithoutNulls(storedQuery(current));

const nextVersion = (current: EndpointVersion, accepted: AcceptedQuery, id: string, user: number | null, at: string): EndpointVersion => ({
  ...current,
  version: current.version + 1,
  id,
  query: JSON.stringify(accepted.query),
  ast: accepted.ast,
  columns: accepted.columns,
  property_types: accepted.property_types,
  is_active: true,
  created_at: at,
  updated_at: null,
  created_by: user,
  last_executed_at: null,
});
