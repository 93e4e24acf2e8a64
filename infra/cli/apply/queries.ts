import type { SaveWorld } from "../../../functions/endpoints/create.ts";
import { ApiError } from "../../../lib/http/errors.ts";
import { newTokenKey, type TokenKeys } from "../../../lib/ports/token-keys.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { ListFull } from "../../../lib/table/bounded-list.ts";
import { require } from "../../../lib/table/store.ts";
import { type AppliedTree, applyChecked, type CheckedDocument } from "./apply.ts";
import { ensureDashboard } from "./dashboards.ts";
import type { RuleEntries } from "./document.ts";
import { openDraft } from "./draft-table.ts";
import { ensureEndpoint } from "./endpoints.ts";
import { ensureRule, RULE_KINDS, type RulePlace } from "./error-rules.ts";
import type { Parts } from "./parts.ts";
import { DocumentProblem, type Path } from "./problem.ts";

export type QueryParts = Parts & SaveWorld;

/** Makes the saved queries, dashboards and rules of the projects of an applied document. Throws `DocumentProblem` with the place of what is refused. */
const ensureQueries = async (parts: QueryParts, tree: AppliedTree): Promise<void> => {
  for (const [at, organization] of tree.organizations.entries())
    for (const [place, entry] of organization.projects.entries()) {
      const path: Path = ["organizations", at, "projects", place];
      const project = await require(parts.table, Projects, { id: entry.id }, { consistent: true });
      for (const [index, endpoint] of (entry.endpoints ?? []).entries())
        await inDocument([...path, "endpoints", index], () => ensureEndpoint(parts, project, endpoint));
      const named = { organization: organization.key, key: entry.key, project };
      for (const [index, dashboard] of (entry.dashboards ?? []).entries())
        await inDocument([...path, "dashboards", index], () => ensureDashboard(parts, named, dashboard));
      await ensureRules(parts, { organization: organization.key, project }, entry.error_tracking_rules ?? {}, [
        ...path,
        "error_tracking_rules",
      ]);
    }
};

const ensureRules = async (parts: QueryParts, place: RulePlace, rules: RuleEntries, path: Path): Promise<void> => {
  for (const kind of RULE_KINDS)
    for (const [index, entry] of (rules[kind] ?? []).entries())
      await inDocument([...path, kind, index], () => ensureRule(parts, place, kind, entry));
};

/** Tries on a draft whether all of a document can be made, so that nothing is written where a query or rule is refused. Throws `DocumentProblem`. */
export const checkQueries = async (parts: QueryParts, checked: CheckedDocument): Promise<void> => {
  const projects = (checked.document.organizations ?? []).flatMap((each) => each.projects ?? []);
  if (!projects.some(({ endpoints, dashboards, error_tracking_rules }) => endpoints ?? dashboards ?? error_tracking_rules)) return;
  await applyAll(draftOf({ ...parts, table: openDraft(parts.table).table, tokenKeys: draftKeys(parts) }), checked);
};

/** Makes what a checked document describes exist, its queries and rules included. */
export const applyAll = async (parts: QueryParts, checked: CheckedDocument): Promise<AppliedTree> => {
  const tree = await applyChecked(parts, checked);
  await ensureQueries(parts, tree);
  return tree;
};

/** The same parts over a draft of the table, from which nobody is asked for anything. */
export const draftOf = (parts: Parts): QueryParts => ({
  ...parts,
  log: { line: () => undefined },
  queues: { send: async () => [] },
  invocations: { start: async () => true },
});

/** The keys that there are; where there are none, one that is forgotten. */
export const draftKeys = ({ tokenKeys, ids }: Pick<Parts, "tokenKeys" | "ids">): TokenKeys => ({
  find: (id) => tokenKeys.find(id),
  newest: () => tokenKeys.newest(),
  make: async () => (await tokenKeys.newest()) ?? newTokenKey(ids),
});

/** What a route would answer is a fault of the document, at its place. */
const inDocument = async (path: Path, make: () => Promise<void>): Promise<void> => {
  try {
    await make();
  } catch (thrown) {
    if (thrown instanceof DocumentProblem) throw new DocumentProblem([...path, ...thrown.path], thrown.sentence);
    if (thrown instanceof ListFull) throw new DocumentProblem(path, thrown.message);
    if (!(thrown instanceof ApiError)) throw thrown;
    const attr: unknown = Object(thrown.body).attr;
    throw new DocumentProblem([...path, ...(typeof attr === "string" ? attr.split(/__|\./) : [])], thrown.message);
  }
};
