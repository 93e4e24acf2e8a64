import * as z from "zod";
import { Assignee } from "../../../lib/error-tracking/issues.ts";
import { groupedIssues } from "../../../lib/error-tracking/rules.ts";
import { text } from "../../../lib/http/fields.ts";
import { AssigneeField, checkAssignee } from "../assignee.ts";
import { FILTERS_EXAMPLE, FiltersField } from "./rule-filters.ts";
import { enabledField, type RuleKindRoutes } from "./rule-routes.ts";

const MOST_DESCRIPTION_CHARACTERS = 1_000;

const Write = z
  .object({
    filters: FiltersField,
    assignee: AssigneeField.nullish(),
    description: text({ blank: true, max: MOST_DESCRIPTION_CHARACTERS }).nullish(),
    enabled: enabledField(),
  })
  .meta({ id: "ErrorTrackingGroupingRuleWrite" });

/** Grouping rules gather what they match in one issue, which an answer names once there is one. */
export const groupingRules: RuleKindRoutes<"grouping"> = {
  kind: "grouping",
  one: "a grouping rule",
  needsCondition: true,
  shown: {
    assignee: Assignee.nullable(),
    description: z.string().nullable(),
    issue: z.object({ id: z.guid(), name: z.string().nullable() }).nullable(),
  },
  async extraFields(table, project, rules) {
    const issues = await groupedIssues(table, project, rules);
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
    description: "Any change, an empty one too, puts a rule back in force that failed.",
    body: z.object({ filters: FiltersField.nullable().exactOptional(), enabled: enabledField() }),
    example: { filters: FILTERS_EXAMPLE },
    changes: async () => ({}),
    enabledBy: "any change",
  },
  destroy: { description: "Its issue stays." },
};
