import { anyone } from "../../lib/auth/access.ts";
import { type Group, group } from "../../lib/http/group.ts";
import { text } from "../../lib/http/reply.ts";
import { route } from "../../lib/http/route.ts";
import { DESCRIPTION, TAGS, TITLE } from "./about.ts";

/** The API's description of itself. It is given the registry because the registry holds it too. */
export const docs = (groups: () => readonly Group[]): Group =>
  group({
    name: "docs",
    gateway: "management",
    uses: [],
    routes: [
      route({
        method: "GET",
        path: "/api/schema/",
        summary: "This description of the API",
        description: "OpenAPI 3.1, made from the operations that are served. Needs no key.",
        tags: ["schema"],
        access: anyone,
        throttle: "none",
        reply: text(200, "application/json"),
        async handle({ world, request }) {
          const { openapi } = await import("../../lib/http/openapi/openapi.ts");
          const { baseUrl, ingestUrl } = world.config;
          const urls = { baseUrl: baseUrl || request.origin, ingestUrl: ingestUrl || request.origin };
          return JSON.stringify(openapi(groups(), { title: TITLE, description: DESCRIPTION, tags: TAGS, ...urls }));
        },
      }),
    ],
  });
