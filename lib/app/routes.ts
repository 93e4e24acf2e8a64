import { type RequestGroup, requestGroup } from "../http/group.ts";
import { type Route as DeclaredRoute, refusalFor, routeFor } from "../http/route.ts";
import type { FunctionNeeds } from "./uses.ts";
import type { World } from "./world.ts";

/** Declares one operation: one value for the router, the API's description, the stacks and the contract tests. */
export const route = routeFor<World>();

/** Declares a method that a path offers only to refuse it: 405 after access is decided, with the given body, null for none. */
export const refusal = refusalFor<World>();

/** A declared operation of the platform. */
export type Route = DeclaredRoute<World>;

/** A group of operations that one function serves. */
export interface Group extends RequestGroup<World>, FunctionNeeds {}

/** A group of declared operations. */
export const group = (spec: FunctionNeeds & Parameters<typeof requestGroup<World>>[0]): Group =>
  Object.freeze({ ...spec, ...requestGroup(spec) });
