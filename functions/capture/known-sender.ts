import type { World } from "../../lib/app/world.ts";
import { checkedToken, checkUnknownCaller, type TokenSource, tokenOwner } from "../../lib/auth/project-token.ts";
import { noteUnknownCaller } from "../../lib/auth/unknown-callers.ts";
import { openEventLoopQueue } from "../../lib/core/event-loop-queue.ts";
import { FORM_TYPE } from "../../lib/core/form.ts";
import { MAX_DECODED_BYTES } from "../../lib/event/message.ts";
import { type PresentedTokens, presentedTokens } from "../../lib/event/presented-tokens.ts";
import { Refused, tooLarge } from "../../lib/event/refused.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { type DecodedBody, decode, decodeAside, decodeBeginning, isLz64, saysItIsLonger } from "../../lib/http/sdk.ts";
import { beyondBounds, JSON_BOUNDS } from "../../lib/intake/json-limits.ts";
import { FREE_BYTES, MAX_UNKNOWN_BROWSER_BYTES, MAX_UNKNOWN_SENDER_BYTES, MAX_WIRE_BYTES } from "./limits.ts";

interface Reading {
  readonly legacy: boolean;
}

/** Large bodies are read one by one: eight at once would keep what is small waiting for all of them. */
const largeBodies = openEventLoopQueue();
/** To decompress so much takes longer than to have it done by another thread. */
const LONG_BYTES = 1024 * 1024;
const NOTHING_TO_PREPARE = async (): Promise<void> => undefined;

/**
 * Decodes a request, as far as its sender is known: what is small is decoded at once, and of everything else the token is looked for
 * first, in the beginning, and where that names none in as much as may be looked at for an unknown sender. Throws `Refused`.
 */
export const decodeKnown = async (request: HttpRequest, { legacy }: Reading, world: World): Promise<DecodedBody> => {
  const small = saysItIsLonger(request, FREE_BYTES) ? undefined : decodedWithin(request, legacy, FREE_BYTES);
  if (small !== undefined) return small;
  const sender = { request, legacy, world };
  if (world.config.unknownToken === "off" || (await namesSender(sender))) {
    const decoding = { legacy, wireBytes: MAX_WIRE_BYTES, decodedBytes: MAX_DECODED_BYTES };
    return largeBodies(async () => (saysItIsLonger(request, LONG_BYTES) ? decodeAside(request, decoding) : decode(request, decoding)));
  }
  await largeBodies(NOTHING_TO_PREPARE);
  return decodeLate(sender);
};

/**
 * Whether a request whose body has only begun to come names its sender. Throws `Refused` for a token that no project has, and where there
 * is none yet and more will come than is looked at for an unknown sender, or no more is for those from its address.
 */
export const checkBeginning = async (beginning: HttpRequest, { legacy }: Reading, world: World): Promise<boolean> => {
  if (world.config.unknownToken === "off" || (await namesSender({ request: beginning, legacy, world }))) return true;
  checkUnknownCaller(world, beginning.ip);
  const most = mostOfUnknownSender(beginning);
  if (Number(beginning.headers["content-length"]) > most) {
    noteUnknownCaller(world, beginning.ip, beginning.body.length);
    throw tokenTooLate(most);
  }
  return false;
};

interface Sender extends Reading {
  readonly request: HttpRequest;
  readonly world: World;
}

/**
 * Whether a request names in its beginning a token that a project has, or may have. Rejects with `Refused`: 401 for a token that is nobody's,
 * and for a beginning that cannot be read what reading it says.
 */
export const namesSender = async (sender: Sender): Promise<boolean> =>
  isKnown(presentedIn(decodeBeginning(sender.request, { ...sender, wireBytes: MAX_WIRE_BYTES }, FREE_BYTES)), sender);

/** The text where it is no longer than so many bytes, all told. */
const decodedWithin = (request: HttpRequest, legacy: boolean, bytes: number): DecodedBody | undefined => {
  if (request.body.length > bytes) return undefined;
  try {
    return decode(request, { legacy, wireBytes: bytes, decodedBytes: bytes });
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.status === 413) return undefined;
    throw thrown;
  }
};

/** How much of a request is looked through for its token, on the wire and decoded. */
const mostOfUnknownSender = (request: HttpRequest): number =>
  request.headers["content-type"] === FORM_TYPE || isLz64(request) ? MAX_UNKNOWN_BROWSER_BYTES : MAX_UNKNOWN_SENDER_BYTES;

const tokenTooLate = (most: number): Refused =>
  tooLarge(`of a request of more than ${most} bytes the api_key has to stand before the batch`);

/** A request whose beginning names no token: python's SDK writes it behind the events. */
const decodeLate = async (sender: Sender): Promise<DecodedBody> => {
  const { request, legacy, world } = sender;
  checkUnknownCaller(world, request.ip);
  const most = mostOfUnknownSender(request);
  const decoded = decodedWithin(request, legacy, most);
  if (decoded === undefined) {
    noteUnknownCaller(world, request.ip, most);
    throw tokenTooLate(most);
  }
  if (decoded.text.length <= FREE_BYTES) return decoded;
  const presented = presentedIn(decoded.text);
  if (presented.beyond === undefined && (await isKnown(presented, sender))) return decoded;
  noteUnknownCaller(world, request.ip, decoded.text.length);
  if (presented.beyond !== undefined) throw beyondBounds(presented.beyond);
  throw presented.namesBatch
    ? new Refused(400, "failed to hydrate events from request: non-engage request missing event name attribute")
    : new Refused(401, "event submitted without an api_key");
};

/** Different tokens of one request that are looked for: a request that names two is refused in the end. */
const MOST_TOKENS = 4;

interface Presented extends PresentedTokens {
  /** What was looked through for them. */
  readonly bytes: number;
}

const presentedIn = (text: Uint8Array): Presented => ({ ...presentedTokens(text, MOST_TOKENS, JSON_BOUNDS), bytes: text.length });

/**
 * Whether a project has one of the tokens that a text names, or may have it while the table does not answer; false where it names none.
 * Throws `Refused` (401) where those that it names are nobody's.
 */
const isKnown = async ({ tokens, bytes }: Presented, { request, world }: Sender): Promise<boolean> => {
  let refusal: Refused | undefined;
  for (const raw of tokens) {
    refusal = await refusalOf(raw, { ip: request.ip, bytes }, world);
    if (refusal === undefined) return true;
  }
  if (refusal === undefined) return false;
  throw refusal;
};

const refusalOf = async (raw: string, source: TokenSource, world: World): Promise<Refused | undefined> => {
  try {
    return (await tokenOwner(checkedToken(raw), source, world)).kind === "unknown" ? nobodys() : undefined;
  } catch (thrown) {
    if (thrown instanceof Refused && thrown.status === 401) return thrown;
    throw thrown;
  }
};

/** A token that no project has. */
export const nobodys = (): Refused => new Refused(401, "API key is not valid: no project has this project API key");
