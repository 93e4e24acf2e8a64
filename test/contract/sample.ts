import * as z from "zod";
import { group, refusal, route } from "../../lib/app/routes.ts";
import { organizationKey, personalKey, projectKey } from "../../lib/auth/access.ts";
import { integer, text } from "../../lib/http/fields.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { partitionNames } from "../../lib/table/partitions.ts";

const shared = { tags: ["sample"], summary: "A sample" } as const;
const Sample = z.object({ name: text({ max: 10 }), size: integer({ min: 0 }).optional() }).meta({ id: "Sample" });

/** An operation of each kind of access and each style of body, for tests of what holds for all operations. */
export const sample = group({
  name: "sample",
  gateway: "management",
  uses: { table: { read: partitionNames, write: partitionNames } },
  routes: [
    route({
      ...shared,
      method: "POST",
      path: "/api/projects/{project_id}/samples/",
      access: projectKey("project:write"),
      body: Sample,
      reply: json(201, Sample),
      handle: async ({ body }) => body,
    }),
    route({
      ...shared,
      method: "PATCH",
      path: "/api/projects/{project_id}/samples/{id}/",
      access: projectKey("project:write"),
      body: Sample.partial().strict(),
      bodyErrors: "parse",
      reply: empty(204),
      async handle() {},
    }),
    refusal({
      ...shared,
      method: "DELETE",
      path: "/api/projects/{project_id}/samples/{id}/",
      access: projectKey("project:write"),
      body: null,
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/projects/{project_id}/samples/{id}/run/",
      access: projectKey("endpoint:read", { secretKeys: true }),
      throttle: "run",
      reply: empty(204),
      async handle() {},
    }),
    route({
      ...shared,
      method: "POST",
      path: "/api/organizations/{organization_id}/samples/",
      access: organizationKey("organization:write", { level: "admin" }),
      body: Sample.strict(),
      bodyErrors: "dotted",
      reply: empty(204),
      async handle() {},
    }),
    route({
      ...shared,
      method: "GET",
      path: "/api/organizations/{id}/sample/",
      access: organizationKey("organization:read", { hole: "id" }),
      reply: empty(204),
      async handle() {},
    }),
    route({ ...shared, method: "GET", path: "/api/samples/@me/", access: personalKey("user:read"), reply: empty(204), async handle() {} }),
  ],
});
