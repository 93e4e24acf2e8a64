import { Defect } from "../core/unreachable.ts";
import type { DeclaredGroup, RequestGroup } from "./group.ts";
import type { BeginningVerdict, HttpReply, HttpRequest } from "./request.ts";
import { type Logging, logRequest } from "./request-log.ts";

/** How a group is declared that reads its requests itself. */
export interface RawGroupSpec<W> extends Pick<DeclaredGroup, "name" | "gateway" | "paths"> {
  bodyBytes(method: string, path: string): number;
  judgeBeginning?(beginning: HttpRequest, world: W): Promise<BeginningVerdict>;
  serve(request: HttpRequest, world: W): Promise<HttpReply>;
}

/**
 * A group that reads its requests itself: bytes in, bytes out, no envelope, no access. Imports neither the router nor the
 * validation, so that its function stays small.
 */
export const rawRequestGroup = <W extends Logging>(spec: RawGroupSpec<W>): RequestGroup<W> => {
  const misspelt = spec.paths.find((path) => !path.startsWith("/"));
  if (misspelt !== undefined) throw new Defect(`${misspelt} must begin with a slash`);
  return {
    ...spec,
    operations: [],
    routes: [],
    async serve(request: HttpRequest, world: W): Promise<HttpReply> {
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
  };
};
