import type { Call } from "../http/access.ts";

/** Where in a request a key was found, in the words of the error that refuses it. */
export type KeyPlace = "Authorization header" | "body" | "query string";

export interface PresentedKey {
  readonly value: string;
  readonly place: KeyPlace;
}

const BEARER = /^Bearer +(\S.*)$/;
const FIELD = "personal_api_key";

/** The first key that a request presents: it is the only one tried. Another scheme, also `bearer`, presents nothing. */
export const presentedKey = async (call: Call): Promise<PresentedKey | undefined> => {
  const inHeader = BEARER.exec(call.request.headers.authorization?.trim() ?? "")?.[1];
  if (inHeader !== undefined) return { value: inHeader, place: "Authorization header" };
  const inBody = await call.peek(FIELD);
  if (typeof inBody === "string" && inBody !== "") return { value: inBody, place: "body" };
  const inQuery = call.query[FIELD];
  return inQuery ? { value: inQuery, place: "query string" } : undefined;
};
