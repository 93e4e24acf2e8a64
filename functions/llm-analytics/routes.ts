import * as z from "zod";
import { personalKey } from "../../lib/auth/access.ts";
import { group } from "../../lib/http/group.ts";
import { json } from "../../lib/http/reply.ts";
import { route } from "../../lib/http/route.ts";
import { SpendQuery } from "./parameters.ts";
import { personalSpend } from "./spend.ts";
import { PersonalSpend } from "./wire.ts";

const spend = route({
  method: "GET",
  path: "/api/llm_analytics/@me/spend/",
  summary: "What you spent on LLMs",
  description: "By product, tool, model, day and trace, from the generations whose person has your e-mail address. Kept for five minutes.",
  tags: ["llm analytics"],
  access: personalKey("user:read"),
  throttle: "spend",
  query: SpendQuery,
  reply: json(200, z.array(PersonalSpend)),
  errors: [404],
  handle: async ({ query, grant, world }) => [await personalSpend(world, grant.caller, query)],
});

export const llmAnalytics = group({ name: "llm-analytics", gateway: "management", uses: ["table", "objects", "engine"], routes: [spend] });
