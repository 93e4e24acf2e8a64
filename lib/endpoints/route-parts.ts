import * as z from "zod";
import { projectKey } from "../auth/access.ts";
import type { EnginePorts } from "../engine/engine.ts";
import { integer } from "../http/fields.ts";
import type { HttpRequest } from "../http/request.ts";
import { withEndpoint } from "./endpoint-access.ts";

export const ENDPOINT_TAGS = ["Endpoints"];

export const readEndpoints = projectKey("endpoint:read");

/** Of an operation on the endpoint that its path names. */
export const readEndpoint = withEndpoint(readEndpoints);

export const VersionQuery = z.object({
  version: integer().optional().meta({ description: "A specific version; the current one when left out." }),
});

export const UnknownVersion = {
  status: 404,
  description: "No endpoint of this name (the standard error body), or no such version.",
  body: z.object({ error: z.string() }).meta({ id: "UnknownVersionError" }),
} as const;

/** The base URL of links. */
export const originOf = (world: EnginePorts, request: HttpRequest): string => world.config.baseUrl || request.origin;
