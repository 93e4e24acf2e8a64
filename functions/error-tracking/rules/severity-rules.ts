import * as z from "zod";
import { SEVERITIES } from "../../../lib/error-tracking/severities.ts";
import { FiltersField } from "./rule-filters.ts";
import { enabledField, orderKey, type RuleKindRoutes } from "./rule-routes.ts";

const Write = z
  .object({ filters: FiltersField, severity: z.enum(SEVERITIES), order_key: orderKey().default(0), enabled: enabledField() })
  .meta({ id: "ErrorTrackingSeverityRuleWrite" });

const Changes = z.object({ filters: FiltersField.exactOptional(), severity: z.enum(SEVERITIES).exactOptional(), enabled: enabledField() });

/** Severity rules say how severe a new issue is. */
export const severityRules: RuleKindRoutes<"severity"> = {
  kind: "severity",
  one: "a severity rule",
  needsCondition: false,
  shown: { severity: z.enum(SEVERITIES) },
  create: {
    description: "A new issue is as severe as the first rule says that its first exception fulfils.",
    body: Write,
    example: { severity: "high", order_key: 0 },
    rule: async ({ severity, order_key }: z.output<typeof Write>) => ({ severity, order_key }),
  },
  update: {
    methods: ["PATCH", "PUT"],
    summary: "Update a severity rule",
    description: "New filters put a rule back in force that failed.",
    body: Changes,
    example: { severity: "low" },
    changes: async ({ severity }: z.output<typeof Changes>) => ({ ...(severity && { severity }) }),
    enabledBy: "new filters",
  },
  destroy: { description: "Issues keep the severity that it gave them." },
};
