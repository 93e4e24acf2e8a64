import type { Consumer, Schedule } from "../lib/http/consumer.ts";
import type { Group } from "../lib/http/group.ts";
import { capture } from "./capture/group.ts";
import { docs } from "./docs/group.ts";

/**
 * The registry: everything that the platform serves, drains and runs by the clock. Read by the stacks, the local platform, the
 * API's description and the contract tests, so importing it loads no client, no engine and no parser.
 */
export const groups: readonly Group[] = [capture, docs(() => groups)];

export const consumers: readonly Consumer[] = [];

export const schedules: readonly Schedule[] = [];
