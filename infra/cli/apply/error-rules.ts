import { filtersText } from "../../../functions/error-tracking/rules/rule-filters.ts";
import { addRule, changeRule, listRules } from "../../../functions/error-tracking/rules/stored-rules.ts";
import { canonicalJson } from "../../../lib/core/canonical-json.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import type { Assignee } from "../../../lib/error-tracking/issues.ts";
import type { RuleKind } from "../../../lib/error-tracking/rules.ts";
import type { AssigneeEntry, RuleEntries } from "./document.ts";
import { handleKey } from "./handles.ts";
import { readHolder } from "./once.ts";
import type { Parts } from "./parts.ts";
import { findUser } from "./people.ts";
import { DocumentProblem } from "./problem.ts";
import { differing } from "./same.ts";

/** Where rules are made: a project, and the key of its organization. */
export interface RulePlace {
  readonly organization: string;
  readonly project: { readonly id: number; readonly timezone: string };
}

export const RULE_KINDS: readonly RuleKind[] = ["grouping", "severity", "assignment"];

type RuleEntry = NonNullable<RuleEntries[RuleKind]>[number];

/** The rule with an entry's filters, made or brought up to date. Throws as its route does. */
export const ensureRule = async (parts: Parts, { organization, project }: RulePlace, kind: RuleKind, entry: RuleEntry): Promise<void> => {
  const { filters: group, assignee, enabled, order_key, ...own } = { assignee: undefined, order_key: undefined, ...entry };
  const wanted = { needsCondition: kind === "grouping" };
  const filters = filtersText(group, project.timezone, wanted);
  const stated = {
    ...own,
    ...(assignee !== undefined && { assignee: assignee === null ? null : await storedAssignee(parts, organization, assignee) }),
    ...(enabled !== undefined && { enabled }),
    ...(order_key !== undefined && { order_key }),
  };
  const known = await listRules(parts.table, kind, project.id);
  const found = known.find((rule) => canonicalJson(JSON.parse(rule.filters)) === canonicalJson(group));
  const now = isoMicros(parts.clock.now());
  if (found !== undefined) {
    const changes = differing({ ...found, enabled: found.enabled !== false }, stated);
    if (changes) await changeRule(parts.table, kind, found, { ...changes, updated_at: now });
    return;
  }
  const absent = kind === "grouping" ? { assignee: null, description: null } : {};
  const begun = { project: project.id, id: parts.ids.uuid(), filters, order_key: 0, disabled_data: null, enabled: true };
  const at = afterAll(known, now);
  await addRule(parts, kind, { ...begun, ...absent, ...stated, created_at: at, updated_at: at });
};

/** Rules of one place are asked in the order in which they were made, also those of one document. */
const afterAll = (known: readonly { readonly created_at: string }[], now: string): string => {
  const latest = known
    .map(({ created_at }) => created_at)
    .toSorted()
    .at(-1);
  if (latest === undefined || now > latest) return now;
  return `${latest.slice(0, -"000Z".length)}${String(Number(latest.slice(-"000Z".length, -1)) + 1).padStart(3, "0")}Z`;
};

const storedAssignee = async ({ table }: Parts, organization: string, entry: AssigneeEntry): Promise<Assignee> => {
  if ("role" in entry) {
    const id = await readHolder(table, handleKey("role", organization, entry.role));
    if (id === undefined) throw new DocumentProblem(["assignee", "role"], `there is no role ${JSON.stringify(entry.role)}`);
    return { type: "role", id };
  }
  const user = await findUser(table, entry.member);
  if (user === undefined) throw new DocumentProblem(["assignee", "member"], `there is no member ${JSON.stringify(entry.member)}`);
  return { type: "user", id: user.id };
};
