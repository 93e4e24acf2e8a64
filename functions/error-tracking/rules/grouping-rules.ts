import * as z from "zod";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Assignee, Issues } from "../../../lib/error-tracking/issues.ts";
import { text } from "../../../lib/http/fields.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { AssigneeField, checkAssignee } from "../assignee.ts";
import { FILTERS_EXAMPLE, FiltersField } from "./rule-filters.ts";
import type { RuleKindRoutes } from "./rule-routes.ts";

const MOST_DESCRIPTION_CHARACTERS = 1_000;

const Write = z
  .object({
    filters: FiltersField,
    assignee: AssigneeField.nullish(),
    description: text({ blank: true, max: MOST_DESCRIPTION_CHARACTERS }).nullish(),
  })
  .meta({ id: "ErrorTrackingGroupingRuleWrite" });

/** Grouping rules gather what they match in one issue, which an answer names once there is one. */
export const groupingRules: RuleKindRoutes<"grouping"> = {
  kind: "grouping",
  one: "a grouping rule",
  most: 300,
  needsCondition: true,
  shown: {
    assignee: Assignee.nullable(),
    description: z.string().nullable(),
    issue: z.object({ id: z.guid(), name: z.string().nullable() }).nullable(),
  },
  async moreOf(table, project, rules) {
    const issues = await issuesOfRules(table, project, rules);
    return (id) => ({ issue: issues.get(id) ?? null });
  },
  create: {
    description: "Exceptions whose first match it is become one issue, which its assignee looks after.",
    body: Write,
    example: { assignee: null, description: "Whatever runs out of time" },
    async rule({ assignee = null, description = null }: z.output<typeof Write>, { table, organization }) {
      await checkAssignee(table, organization, assignee);
      return { assignee, description };
    },
  },
  update: {
    methods: ["PATCH"],
    summary: "Change what a grouping rule matches",
    description: "Any change, an empty one too, puts a rule back in force that was disabled.",
    body: z.object({ filters: FiltersField.nullable().exactOptional() }),
    example: { filters: FILTERS_EXAMPLE },
    changes: () => ({}),
    enabledBy: "any change",
  },
  destroy: { description: "Its issue stays." },
};

/** The issue that a rule's exceptions became. */
interface GroupedIssue {
  readonly id: string;
  readonly name: string | null;
}

/** What exceptions that a rule grouped are recognised by. */
const fingerprintOf = (ruleId: string): string => `custom-rule:${ruleId}`;

/** The issues of rules that have grouped an exception, by the rule's id; merging may have brought several rules to one. */
const issuesOfRules = async (
  table: Table,
  project: number,
  rules: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, GroupedIssue>> => {
  if (rules.length === 0) return new Map();
  const fingerprints = await getMany(
    table,
    Fingerprints,
    rules.map(({ id }) => ({ project, fingerprint: fingerprintOf(id) })),
  );
  const ids = [...new Set(fingerprints.map(({ issue_id }) => issue_id))];
  const issues =
    ids.length === 0
      ? []
      : await getMany(
          table,
          Issues,
          ids.map((id) => ({ project, id })),
        );
  const byId = new Map(issues.map(({ id, name }) => [id, { id, name }]));
  const owners = new Map(fingerprints.map(({ fingerprint, issue_id }) => [fingerprint, byId.get(issue_id)]));
  return new Map(
    rules.flatMap(({ id }) => {
      const issue = owners.get(fingerprintOf(id));
      return issue === undefined ? [] : [[id, issue] as const];
    }),
  );
};
