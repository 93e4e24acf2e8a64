import { Defect } from "../core/unreachable.ts";
import type { DeclaredRoute, Route } from "./route.ts";
import { type RequestServer, routesServer, type Serving } from "./serve/serve-routes.ts";

/** An operation that no `route()` declares, told for the API's description in the description's own terms. */
export interface DescribedOperation {
  readonly path: string;
  readonly method: "get" | "post";
  /** An OpenAPI operation object; its schemas stand in it as they are. */
  readonly operation: Readonly<Record<string, unknown>> & { readonly summary: string; readonly operationId: string };
}

/** Which of the two hosts carries a group. */
export type Gateway = "management" | "ingest";

/** The declaration of a group, for the API's description, the stacks and the tests. */
export interface DeclaredGroup {
  readonly name: string;
  readonly gateway: Gateway;
  /** Every path it answers, with holes; `{proxy+}` at the end stands for all that lies below. */
  readonly paths: readonly string[];
  /**
   * Folders that hold all of its paths, where that is so: the gateway then hands on whatever lies below them that is no other group's. A
   * stack holds 500 resources, and each path takes two.
   */
  readonly folders?: readonly string[];
  /** Empty for a group that reads its requests itself. */
  readonly routes: readonly DeclaredRoute[];
  /** Operations that no route declares, for the API's description. */
  readonly operations: readonly DescribedOperation[];
}

/** Operations that are served together, by handlers that are handed a `W`. */
export interface RequestGroup<W> extends DeclaredGroup, RequestServer<W> {
  readonly routes: readonly Route<W>[];
}

/** A group of declared operations. */
export const requestGroup = <W extends Serving>(
  spec: Pick<DeclaredGroup, "name" | "gateway" | "folders"> & { readonly routes: readonly Route<W>[] },
): RequestGroup<W> => {
  const ids = spec.routes.map((route) => route.id.replace(/\{[^}]+\}/g, "{}"));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Defect(`${spec.name} declares ${twice} twice`);
  const misspelt = spec.routes.find((route) => !route.path.startsWith("/") || !route.path.endsWith("/"));
  if (misspelt !== undefined) throw new Defect(`${misspelt.id} must begin and end with a slash`);
  const paths = [...new Set(spec.routes.map((route) => route.path))];
  return { ...spec, paths, operations: [], ...routesServer(spec.routes) };
};
