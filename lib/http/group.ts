import type { FunctionNeeds } from "../app/uses.ts";
import type { World } from "../app/world.ts";
import { Defect } from "../core/unreachable.ts";
import type { DescribedOperation } from "./openapi/openapi-operations.ts";
import type { HttpReply, HttpRequest } from "./request.ts";
import type { Route } from "./route.ts";
import { type RequestServer, routesServer, type ServeOptions } from "./serve/serve-routes.ts";

/** Which of the two hosts carries a group. */
export type Gateway = "management" | "ingest";

/** What one function serves. */
export interface Group extends RequestServer, FunctionNeeds {
  readonly gateway: Gateway;
  /** Every path it answers, with holes; `{proxy+}` at the end stands for all that lies below. */
  readonly paths: readonly string[];
  /** Empty for a group that reads its requests itself. */
  readonly routes: readonly Route[];
  /** Operations that no route declares, for the API's description. */
  readonly operations: readonly DescribedOperation[];
}

/** A group of declared operations. */
export const group = (spec: FunctionNeeds & { readonly gateway: Gateway; readonly routes: readonly Route[] }): Group => {
  const ids = spec.routes.map((route) => route.id.replace(/\{[^}]+\}/g, "{}"));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Defect(`${spec.name} declares ${twice} twice`);
  const misspelt = spec.routes.find((route) => !route.path.startsWith("/") || !route.path.endsWith("/"));
  if (misspelt !== undefined) throw new Defect(`${misspelt.id} must begin and end with a slash`);
  return Object.freeze({
    ...spec,
    paths: [...new Set(spec.routes.map((route) => route.path))],
    operations: [],
    ...routesServer(spec.routes),
  });
};

/** Answers one request; the one way in, for the deployed functions, the local platform and the tests. Never throws. */
export const serve = (of: Group, request: HttpRequest, world: World, options?: ServeOptions): Promise<HttpReply> =>
  of.serve(request, world, options);
