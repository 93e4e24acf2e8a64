import type { FunctionNeeds } from "../app/uses.ts";
import type { World } from "../app/world.ts";
import { Defect } from "../core/unreachable.ts";
import type { Gateway, Group } from "./group.ts";
import type { DescribedOperation } from "./openapi/openapi-operations.ts";
import type { HttpReply, HttpRequest } from "./request.ts";
import { logRequest } from "./serve/request-log.ts";

/**
 * A group that reads its requests itself: bytes in, bytes out, no envelope, no access. Imports neither the router nor the
 * validation, so that its function stays small. `operations` describe its operations for the API's description.
 */
export const rawGroup = (
  spec: FunctionNeeds & {
    readonly gateway: Gateway;
    readonly paths: readonly string[];
    readonly operations?: readonly DescribedOperation[];
    bodyBytes(method: string, path: string): number;
    serve(request: HttpRequest, world: World): Promise<HttpReply>;
  },
): Group => {
  const misspelt = spec.paths.find((path) => !path.startsWith("/"));
  if (misspelt !== undefined) throw new Defect(`${misspelt} must begin with a slash`);
  return Object.freeze({
    ...spec,
    operations: spec.operations ?? [],
    routes: [],
    async serve(request: HttpRequest, world: World): Promise<HttpReply> {
      const began = world.clock.now();
      try {
        const reply = await spec.serve(request, world);
        logRequest(world, { request, route: spec.name, status: reply.status, began });
        return reply;
      } catch (fault) {
        logRequest(world, { request, route: spec.name, status: 500, began, fault });
        return { status: 500, headers: { "content-type": "text/plain; charset=utf-8" }, body: "internal error" };
      }
    },
  });
};
