import middy from "@middy/core";
import jsonBodyParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import type { Group } from "../app/routes.ts";
import type { World } from "../app/world.ts";
import { fromRest, toRest } from "../http/request.ts";
import { openOnce } from "./open-once.ts";

/** The deployed function of a group. */
export const lambda = (group: Group, openWorld: () => World | Promise<World>) => {
  const opened = openOnce(openWorld);
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const world = await opened();
    const reply = await group.serve(fromRest(event), world, { parseJson });
    return toRest(reply);
  });
};

/**
 * JSON text through the parser of the deployed functions. It runs when a route asks for its body and not before the handler,
 * because nothing may read a body before the caller is known.
 */
export const parseJson = (text: string): unknown => {
  const request = { event: { headers: {}, body: text, isBase64Encoded: false } };
  readEvent(request);
  return request.event.body;
};

/** The parser touches nothing of a request but its event's headers, body and encoding, and puts the parsed value into the body. */
const readEvent = jsonBodyParser({ disableContentTypeCheck: true }).before as (request: { event: object }) => void;
