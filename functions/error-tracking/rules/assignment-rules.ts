import * as z from "zod";
import { Assignee } from "../../../lib/error-tracking/issues.ts";
import { AssigneeField, checkAssignee } from "../assignee.ts";
import { FiltersField } from "./rule-filters.ts";
import { enabledField, orderKey, type RuleKindRoutes } from "./rule-routes.ts";

const Write = z
  .object({ filters: FiltersField, assignee: AssigneeField, order_key: orderKey().default(0), enabled: enabledField() })
  .meta({ id: "ErrorTrackingAssignmentRuleWrite" });

const Changes = z.object({ filters: FiltersField.exactOptional(), assignee: AssigneeField.exactOptional(), enabled: enabledField() });

/** Assignment rules say who looks after an issue. */
export const assignmentRules: RuleKindRoutes<"assignment"> = {
  kind: "assignment",
  one: "an assignment rule",
  needsCondition: false,
  shown: { assignee: Assignee, enabled: z.boolean() },
  create: {
    description:
      "When an issue is made or opened again and nobody looks after it, the first rule that its exception fulfils says who does; a grouping rule's assignee goes before.",
    body: Write,
    example: { assignee: { type: "user", id: 1 }, order_key: 0 },
    async rule({ assignee, order_key }: z.output<typeof Write>, { table, organization }) {
      await checkAssignee(table, organization, assignee);
      return { assignee, order_key };
    },
  },
  update: {
    methods: ["PATCH"],
    summary: "Update an assignment rule",
    description: "New filters put a rule back in force that failed.",
    body: Changes,
    example: { enabled: false },
    async changes({ assignee }: z.output<typeof Changes>, { table, organization }) {
      if (assignee === undefined) return {};
      await checkAssignee(table, organization, assignee);
      return { assignee };
    },
    enabledBy: "new filters",
  },
  destroy: { description: "Issues keep whom it gave them." },
};
