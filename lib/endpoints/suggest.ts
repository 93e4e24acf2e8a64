import type { EnginePorts } from "../engine/engine.ts";
import { queryText } from "../hogql/text.ts";
import { bare } from "../http/errors.ts";
import { storedQuery } from "./definition.ts";
import { transformFor } from "./materialisation/transform-for.ts";
import { unpackAst } from "./query/stored-ast.ts";
import type { EndpointVersion } from "./saved-endpoints.ts";
import { findDifference, type Original } from "./suggestion/equivalence.ts";
import { modelRounds, type Suggestion } from "./suggestion/model-rounds.ts";
import { rewritten } from "./suggestion/rewrite/rewrite.ts";

const NO_MODEL = "No language model is configured, and none of the known rewrites makes this query materializable.";

/** A form of a version's query that can be materialised: from the known rewrites, else from the language model. Nothing is saved. */
export const suggestFor = async (
  world: EnginePorts,
  project: { readonly id: number; readonly timezone: string },
  version: EndpointVersion,
): Promise<Suggestion> => {
  const query = storedQuery(version);
  if (query.kind !== "HogQLQuery") throw bare(400, { error: "Suggestions are made for SQL endpoints only." });
  const found = await transformFor(world, project, { ...version, query });
  if (found.kind === "transform") throw bare(400, { error: "This query is already materializable." });
  const until = world.clock.now() + world.config.suggestionTimeMs;
  const original = {
    project,
    query,
    ast: unpackAst(version.ast),
    bucket_overrides: version.bucket_overrides,
    types: version.property_types,
    until,
  };
  const original_reason = found.reason.text;
  const known = await knownForm(world, original);
  if (known !== undefined) return { suggestion_status: "ok", ...known, attempts: 1, error: null, original_reason };
  if (!world.model.isConfigured) throw bare(503, { error: NO_MODEL });
  return { ...(await modelRounds(world, original, original_reason)), original_reason };
};

const knownForm = async (
  world: EnginePorts,
  original: Original,
): Promise<Pick<Suggestion, "suggested_query" | "explanation"> | undefined> => {
  const known = rewritten(original.ast);
  if (known === null) return undefined;
  const suggested_query = queryText(known.ast);
  if ((await findDifference(world, original, suggested_query)) !== null) return undefined;
  return { suggested_query, explanation: known.explanation };
};
