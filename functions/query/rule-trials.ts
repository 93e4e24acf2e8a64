import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { projectKey } from "../../lib/auth/access.ts";
import { RULES, type RuleKind } from "../../lib/error-tracking/rules.ts";
import { json } from "../../lib/http/reply.ts";
import { RuleTrial } from "./rule-trial-wire.ts";

const Body = z
  .object({ filters: z.record(z.string(), z.unknown()).meta({ type: "object" }) })
  .meta({ id: "ErrorTrackingRuleTrialRequest" });

const EXAMPLE = {
  filters: { type: "AND", values: [{ type: "event", key: "$exception_types", operator: "icontains", value: "Timeout" }] },
};

/** Where all of error tracking lies, under both names of a project's place. */
const BASES = ["/api/projects/{project_id}/error_tracking", "/api/environments/{project_id}/error_tracking"] as const;

const KINDS = Object.keys(RULES) as readonly RuleKind[];

/** Rules that are not saved, tried on exceptions that are stored. They are read by a query, so these are calls of its group. */
export const ruleTrials = BASES.flatMap((base) =>
  KINDS.map((kind) =>
    route({
      method: "POST",
      path: `${base}/${kind}_rules/try/`,
      summary: `Try a ${kind} rule on stored exceptions`,
      description:
        "Filters are asked about the newest exceptions of the last 7 days as they would have been when these came. Nothing is saved or changed.",
      tags: ["Error tracking"],
      access: projectKey("error_tracking:read"),
      throttle: "query",
      body: Body,
      examples: { body: EXAMPLE },
      reply: json(200, RuleTrial),
      handle: async ({ body, grant, world }) => (await import("./rule-trial.ts")).tryRule(world, grant.project, kind, body.filters),
    }),
  ),
);
