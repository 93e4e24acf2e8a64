import type { World } from "../../lib/app/world.ts";
import { checkedToken, tokenOwner } from "../../lib/auth/project-token.ts";
import { notJson } from "../../lib/core/json-scan.ts";
import { type Fields, isFields } from "../../lib/event/fields.ts";
import { presentedTokens } from "../../lib/event/presented-tokens.ts";
import { Refused } from "../../lib/event/refused.ts";
import { type HttpRequest, queryValue } from "../../lib/http/request.ts";
import { decode } from "../../lib/http/sdk.ts";
import { MAX_BODY_BYTES } from "./paths.ts";

/** The project that a request names, and its settings. */
export interface AskingProject {
  readonly token: string;
  readonly autocaptureExceptions: boolean;
}

/** The project that a token belongs to. Throws `Refused` (401) for any other token; where the table does not answer, it is believed. */
export const askingProject = async (raw: string | undefined, { ip, body }: HttpRequest, world: World): Promise<AskingProject> => {
  if (raw === undefined || raw === "") throw new Refused(401, "No project API key was sent: send it as `token`.");
  const token = checkedToken(raw);
  const owner = await tokenOwner(token, { ip, bytes: body.length }, world);
  if (owner.kind === "unknown" && world.config.unknownToken === "enforce") {
    throw new Refused(401, "The project API key is invalid: no project has it.");
  }
  return { token, autocaptureExceptions: owner.kind !== "project" || owner.autocaptureExceptions };
};

/** The token in a request's query, under either of the names that SDKs give it. */
export const tokenInAddress = (request: HttpRequest): string | undefined => queryValue(request, "token") ?? queryValue(request, "api_key");

/** The token that a request for flags carries: in its query, else in its body, in any of the forms in which SDKs write one. */
export const tokenOfRequest = (request: HttpRequest): string | undefined => {
  const named = tokenInAddress(request);
  if (named !== undefined) return named;
  if (request.body.length === 0 && queryValue(request, "data") === undefined) return undefined;
  const sizes = { wireBytes: MAX_BODY_BYTES, decodedBytes: MAX_BODY_BYTES };
  const { text } = decode(request, { legacy: true, ...sizes });
  // A large one is not read for somebody who may be nobody.
  if (text.length > MAX_READ_BYTES) return presentedTokens(text, 1).tokens[0];
  const body = parsed(text);
  return [body.token, body.api_key, body.$token].find((each) => typeof each === "string");
};

/** An SDK sends a few kilobytes. */
const MAX_READ_BYTES = 64 * 1024;

const parsed = (text: Buffer): Fields => {
  const json = text.toString("utf8");
  try {
    const value: unknown = JSON.parse(json);
    if (isFields(value)) return value;
  } catch {
    throw new Refused(400, `The body ${notJson(json)}.`);
  }
  throw new Refused(400, "The body must be a JSON object with `token` and `distinct_id`.");
};
