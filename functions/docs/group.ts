import { type Group, group, route } from "../../lib/app/routes.ts";
import { anyone } from "../../lib/auth/access.ts";
import { text } from "../../lib/http/reply.ts";
import type { Describe } from "./description.ts";

/** The API's description of itself. */
export const docs = (describe: Describe): Group =>
  group({
    name: "docs",
    gateway: "management",
    uses: {},
    routes: [
      route({
        method: "GET",
        path: "/api/schema/",
        summary: "This description of the API",
        description: "OpenAPI 3.1, made from the operations that are served. Needs no key.",
        tags: ["API description"],
        access: anyone,
        throttle: "none",
        reply: text(200, "application/json"),
        handle({ world, request }) {
          const { baseUrl, ingestUrl } = world.config;
          return describe({ baseUrl: baseUrl || request.origin, ingestUrl: ingestUrl || request.origin });
        },
      }),
    ],
  });
