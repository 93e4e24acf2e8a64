import {
  checkBuckets,
  DEFAULT_FRESHNESS_SECONDS,
  ENGINE_CHOICES,
  type EngineChoice,
  FRESHNESS_SECONDS,
  type StoredQuery,
  storedBreakdowns,
} from "../../lib/endpoints/definition.ts";
import { invalid } from "../../lib/http/errors.ts";
import { alternatives, INSIGHT_NAMES } from "../../lib/insight/query.ts";
import type { EndpointBody } from "./bodies.ts";

/** The names that an endpoint may have. */
export const ENDPOINT_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,127}$/;
const FRESHNESS: readonly number[] = FRESHNESS_SECONDS;
/** The short id of an insight. */
const MAX_INSIGHT_ID = 12;

/** Operations that lie where an endpoint of their name would, so that it could neither be shown nor changed nor removed. */
const OTHER_OPERATIONS: readonly string[] = ["bulk_update_tags", "last_execution_times", "materialization_conditions"];

/** A name is part of the path, of the materialised table's name and of generated code: letters, digits, `_` and `-`. */
export const checkName = (name: string | null | undefined): string => {
  if (name === null || name === undefined || name === "") throw invalid("name", "A name is required.");
  if (!ENDPOINT_NAME.test(name)) {
    throw invalid(
      "name",
      "A name begins with a letter, holds only letters, digits, underscores and hyphens, and has at most 128 characters.",
    );
  }
  if (OTHER_OPERATIONS.includes(name)) throw invalid("name", `"${name}" is an operation of all endpoints. Choose another name.`);
  return name;
};

/** Seconds that a result may be old; null and absent mean one day. */
export const checkFreshness = (seconds: number | null | undefined): number => {
  if (seconds === null || seconds === undefined) return DEFAULT_FRESHNESS_SECONDS;
  if (!FRESHNESS.includes(seconds)) {
    throw invalid("data_freshness_seconds", `Data freshness must be one of ${FRESHNESS.join(", ")} seconds.`);
  }
  return seconds;
};

/** The engine that a version asks for; null and absent leave it to the size of what is read. */
export const checkEngine = (sent: string | null | undefined): EngineChoice => {
  if (sent === null || sent === undefined) return "auto";
  const chosen = ENGINE_CHOICES.find((choice) => choice === sent);
  if (chosen === undefined) throw invalid("engine", `Engine must be one of ${ENGINE_CHOICES.join(", ")}.`);
  return chosen;
};

/** Settings lie in the items of the endpoint and of its version, which have 400 KB each. In characters, and tags by number. */
const MAX_DESCRIPTION = 10_000;
const MAX_TAG = 255;
const MAX_TAGS = 100;
const MAX_OVERRIDES = 10_000;

/** The insight that an endpoint is made of. Only its creation says which: an update's is not looked at. */
export const checkInsightId = (id: string | null | undefined): void => {
  if ((id ?? "").length > MAX_INSIGHT_ID) {
    throw invalid("derived_from_insight", `Ensure this field has no more than ${MAX_INSIGHT_ID} characters.`, "max_length");
  }
};

/** The settings that only some queries or deployments take. */
export const checkSettings = (body: EndpointBody, query: StoredQuery): void => {
  checkOptionalBreakdowns(body.optional_breakdown_properties ?? [], query);
  checkSizes(body);
  checkBuckets(body.bucket_overrides);
};

const checkSizes = ({ description, tags, bucket_overrides }: EndpointBody): void => {
  if ((description ?? "").length > MAX_DESCRIPTION) {
    throw invalid("description", `Ensure this field has no more than ${MAX_DESCRIPTION} characters.`, "max_length");
  }
  if ((tags ?? []).length > MAX_TAGS) throw invalid("tags", `Ensure this field has no more than ${MAX_TAGS} elements.`, "max_length");
  if ((tags ?? []).some((tag) => tag.length > MAX_TAG)) {
    throw invalid("tags", `Ensure each tag has no more than ${MAX_TAG} characters.`, "max_length");
  }
  if (JSON.stringify(bucket_overrides ?? {}).length > MAX_OVERRIDES) {
    throw invalid("bucket_overrides", `Ensure this field has no more than ${MAX_OVERRIDES} characters as JSON.`, "max_length");
  }
};

const checkOptionalBreakdowns = (names: readonly string[], query: StoredQuery): void => {
  if (names.length === 0) return;
  if (query.kind === "HogQLQuery") {
    throw invalid(
      "optional_breakdown_properties",
      `Only a ${alternatives(INSIGHT_NAMES)} has breakdowns, and this query is a ${query.kind}.`,
    );
  }
  const known = storedBreakdowns(query);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const hint = known.length === 0 ? "It has none." : `It has ${known.map((name) => `'${name}'`).join(", ")}.`;
  throw invalid("optional_breakdown_properties", `The query has no breakdown ${unknown.map((name) => `'${name}'`).join(", ")}. ${hint}`);
};

/** Tags as stored: trimmed, lower case, each once, in order. */
export const tidyTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map((tag) => tag.trim().toLowerCase()).filter((tag) => tag !== ""))].sort();

/** Says to an author why their query gets no table. */
export const cannotMaterialise = (reason: string) => invalid(null, `Cannot materialize endpoint. Reason: ${reason}`);

/** Refuses a table for an endpoint that is not active, which has none. */
export const checkActive = (isActive: boolean): void => {
  if (!isActive) throw invalid("is_materialized", "An inactive endpoint has no table. Activate it first, or in the same request.");
};
