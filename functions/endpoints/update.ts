import { canonicalJsonWithoutNulls } from "../../lib/core/canonical-json.ts";
import { isoMicros } from "../../lib/core/time.ts";
import { breakdownsOf, queryOf, type StoredQuery } from "../../lib/endpoint/definition.ts";
import { findVersion } from "../../lib/endpoint/load.ts";
import { disable, disableAll, enable, findMaterialisation } from "../../lib/endpoint/materialisation/state.ts";
import {
  type EndpointVersion,
  EndpointVersions,
  type SavedEndpoint,
  SavedEndpoints,
} from "../../lib/entities/endpoints/saved-endpoints.ts";
import { conflict, invalid } from "../../lib/http/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { putting, updating } from "../../lib/table/store.ts";
import { accept } from "./acceptance/accept.ts";
import type { AcceptedQuery } from "./acceptance/accept-query.ts";
import type { EndpointBody } from "./bodies.ts";
import type { Author } from "./create.ts";
import { cannotMaterialise, checkActive, type MaterialiseWorld, refusalOf } from "./materialisation/materialise.ts";
import { checkFreshness, checkSettings, tidyTags } from "./settings.ts";

/** What an update changed: the endpoint, and the version it went to. */
export interface Updated {
  readonly endpoint: SavedEndpoint;
  readonly version: EndpointVersion;
  /** Why a new version has no table, though it was to have one. */
  readonly materialization_error?: string;
}

/**
 * Applies an update to an endpoint and one of its versions: the current one, or the one that `number` names. A query that
 * differs from the current one makes a new version; two such updates at once make one, and the other is told to try again.
 */
export const updateEndpoint = async (
  world: MaterialiseWorld,
  author: Author,
  endpoint: SavedEndpoint,
  body: EndpointBody,
  number: number | undefined,
): Promise<Updated> => {
  if (number !== undefined && body.query)
    throw invalid("query", "A version's query never changes. Leave out the version to save a new one.");
  const wanted = number ?? endpoint.current_version;
  const target = wanted < 1 ? undefined : await findVersion(world.table, endpoint, wanted);
  if (target === undefined) throw invalid("version", `Version ${number} of this endpoint does not exist.`);
  const accepted = body.query ? await accept(body.query, world, author.project) : undefined;
  const freshness = "data_freshness_seconds" in body ? checkFreshness(body.data_freshness_seconds) : target.data_freshness_seconds;
  const query = accepted?.query ?? queryOf(target);
  checkSettings(body, query);
  const at = after(endpoint.updated_at, world.clock.now());
  const settings = {
    description: body.description ?? target.description,
    data_freshness_seconds: freshness,
    bucket_overrides: body.bucket_overrides ?? target.bucket_overrides,
    optional_breakdown_properties: optionalBreakdowns(body, target, query),
  };
  const renewed = accepted !== undefined && differs(accepted, target);
  const isActive = number === undefined ? (body.is_active ?? endpoint.is_active) : endpoint.is_active;
  const stays = isActive && !(number !== undefined && body.is_active === false);
  const hasTable = target.has_table && (await findMaterialisation(world.table, target)) !== undefined;
  const intent = tableIntent(body, hasTable, stays);
  if (intent === "on" && body.is_materialized === true) checkActive(stays);
  const refusal =
    intent === "on" && (renewed || !hasTable || body.bucket_overrides)
      ? await refusalOf(world, author.project, { ...(accepted ?? target), query, bucket_overrides: settings.bucket_overrides })
      : null;
  if (refusal !== null && !(renewed && hasTable)) throw cannotMaterialise(refusal);
  const tableSettings = { ...settings, has_table: intent === "on" && refusal === null };
  const version: EndpointVersion = renewed
    ? { ...nextVersion(target, accepted, world.ids.uuid(), author.user, at), ...tableSettings }
    : {
        ...target,
        ...tableSettings,
        updated_at: at,
        is_active: number === undefined ? target.is_active : (body.is_active ?? target.is_active),
      };
  const revised = {
    updated_at: at,
    is_active: isActive,
    tags: body.tags ? tidyTags(body.tags) : endpoint.tags,
    current_version: renewed ? version.version : endpoint.current_version,
    current_version_id: renewed ? version.id : endpoint.current_version_id,
  };
  try {
    await world.table.transact([
      updating(
        SavedEndpoints,
        { project: endpoint.project, name: endpoint.name },
        { set: revised },
        {
          kind: "all",
          of: [
            { kind: "equals", attribute: "id", value: endpoint.id },
            { kind: "equals", attribute: "current_version", value: endpoint.current_version },
          ],
        },
      ),
      renewed
        ? putting(EndpointVersions, version, { kind: "absent" })
        : updating(EndpointVersions, keyOf(target), { set: { ...tableSettings, is_active: version.is_active, updated_at: at } }),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed)
      throw conflict("The endpoint was changed by another request at the same time. Read it and try again.");
    throw error;
  }
  const updated = { ...endpoint, ...revised };
  if (version.has_table) await enable(world, updated, version);
  else if (!isActive) await disableAll(world, endpoint);
  else if (hasTable && !renewed) await disable(world, [target]);
  return { endpoint: updated, version, ...(refusal !== null && { materialization_error: refusal }) };
};

/** Whether the version that an update goes to, or that it makes, is to have a table afterwards. */
const tableIntent = ({ is_materialized }: EndpointBody, hasTable: boolean, stays: boolean): "on" | "off" => {
  if (is_materialized === true) return "on";
  return is_materialized !== false && hasTable && stays ? "on" : "off";
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
  const names = breakdownsOf(query);
  return before.optional_breakdown_properties.filter((name) => names.includes(name));
};

const differs = (accepted: AcceptedQuery, current: EndpointVersion): boolean =>
  canonicalJsonWithoutNulls(accepted.query) !== canonicalJsonWithoutNulls(queryOf(current));

const keyOf = ({ project, endpoint_id, version }: EndpointVersion) => ({ project, endpoint_id, version });

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
