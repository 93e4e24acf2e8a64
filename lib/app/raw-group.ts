import { type RawGroupSpec, rawRequestGroup } from "../http/raw-group.ts";
import type { Group } from "./routes.ts";
import type { FunctionNeeds } from "./uses.ts";
import type { World } from "./world.ts";

/** A group that reads its requests itself. Apart from `group`, so that its function carries neither the router nor the validation. */
export const rawGroup = (spec: FunctionNeeds & RawGroupSpec<World>): Group => Object.freeze({ ...spec, ...rawRequestGroup(spec) });
