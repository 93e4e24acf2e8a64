import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { personalKey } from "../../lib/auth/access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { json } from "../../lib/http/reply.ts";
import { SpendQuery } from "./parameters.ts";
import { PersonalSpend } from "./wire.ts";

/** The language, which whoever only reads the routes does not need. */
const loadSpend = () => import("./spend.ts");

const spend = route({
  method: "GET",
  path: "/api/llm_analytics/@me/spend/",
  summary: "What you spent on LLMs",
  description:
    "By product, tool, model, day and trace, from the generations whose person has your e-mail address. Kept for five minutes. A list of one, unless the deployment says otherwise.",
  tags: ["LLM analytics"],
  access: personalKey("user:read"),
  throttle: "spend",
  query: SpendQuery,
  reply: json(200, z.union([z.array(PersonalSpend), PersonalSpend])),
  errors: [404],
  async handle({ query, grant, world }) {
    const { personalSpend } = await loadSpend();
    const spend = await personalSpend(world, grant.caller, query);
    return world.config.personalSpendShape === "object" ? spend : [spend];
  },
});

export const llmAnalytics = group({
  name: "llm-analytics",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, ...RUN_PARTITIONS],
      lists: CALLER_PARTITIONS.lists,
      write: [...CALLER_PARTITIONS.write, "project"],
    },
    objects: { read: ["fresh", "events", "state", "results"], write: ["results"] },
    engine: true,
  },
  settings: ["spend"],
  routes: [spend],
});
