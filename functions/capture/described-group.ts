import type { Group } from "../../lib/app/routes.ts";
import { capture } from "./group.ts";
import { OPERATIONS } from "./openapi-operations.ts";

/** Capture with its operations as the API's description tells them. Apart from the group, as its function has no use for them. */
export const describedCapture: Group = Object.freeze({ ...capture, operations: OPERATIONS });
