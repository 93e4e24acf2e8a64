import type { World } from "../../lib/app/world.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { namesSender } from "./known-sender.ts";
import { pathAt } from "./paths.ts";

/** Whether the beginning of a request names a token that a project has. Never rejects: what cannot be told is nobody's. */
export const isFromProject = async (request: HttpRequest, world: World): Promise<boolean> => {
  const endpoint = pathAt(request.path);
  if (endpoint === undefined || endpoint.kind === "health") return false;
  const legacy = endpoint.kind === "recordings" || endpoint.legacy;
  return namesSender({ request, legacy, world }).catch(() => false);
};
