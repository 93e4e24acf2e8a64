import { cache, perOwner } from "../core/cache.ts";
import { Refused } from "../event/refused.ts";
import { trimmedToken } from "../event/token-text.ts";
import { tokenItem } from "../keys/credential.ts";
import { decodeProjectToken } from "../keys/project-tokens.ts";
import type { Ports } from "../ports/ports.ts";
import { noteUnknownCaller, unknownCallerWaitMs } from "./unknown-callers.ts";

const MAX_TOKEN_BYTES = 64;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about every character of ASCII, control characters included.
const ASCII = /^[\x00-\x7f]*$/;

/** A project token freed of surrounding white space. Throws `Refused` (401) for one that cannot be a project's. */
export const checkedToken = (raw: string): string => {
  const token = trimmedToken(raw);
  const fault = tokenFault(token);
  if (fault !== null) throw new Refused(401, `API key is not valid: ${fault}`);
  return token;
};

const tokenFault = (token: string): string | null => {
  if (token === "") return "empty";
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) return "too_long";
  if (!ASCII.test(token)) return "not_ascii";
  if (token.startsWith("phx_")) return "personal_api_key";
  return token.includes("\0") ? "null_byte" : null;
};

/** Tokens that a process remembers at most: a caller who invents tokens must not fill its memory. */
const MAX_REMEMBERED = 10_000;
/**
 * How long a process may use a found project, and one that does not exist, milliseconds. Within five seconds of the removal of an
 * organization no event of its projects is acknowledged any more: closing its tokens takes a part of them.
 */
const FOUND_MS = 4_000;
const MISSING_MS = 5_000;

/** Whose events a token brings. `unresolved`: the table did not answer, so the batch is let in and ingest finds out. */
export type Owner =
  | { readonly kind: "project"; readonly project: number; readonly organization: string; readonly autocaptureExceptions: boolean }
  | { readonly kind: "unknown" }
  | { readonly kind: "unresolved"; readonly token: string };

const UNKNOWN: Owner = { kind: "unknown" };
const ownerCache = perOwner((_: Ports) => cache<string, Owner>({ capacity: MAX_REMEMBERED }));

/** Where a token came from: an address, with the bytes that were looked at to find it. */
export interface TokenSource {
  readonly ip: string;
  readonly bytes: number;
}

/**
 * The owner of a token. From an address that has brought too much under unknown ones, only those that this process has seen before are
 * looked up: throws `Refused` (503).
 */
export const tokenOwner = async (token: string, { ip, bytes }: TokenSource, world: Ports): Promise<Owner> => {
  const owners = ownerCache(world);
  const owner = owners.get(token, world.clock.now()) ?? (await findOwner(token, ip, world));
  if (owner === UNKNOWN) noteUnknownCaller(world, ip, bytes);
  return owner;
};

const findOwner = async (token: string, ip: string, world: Ports): Promise<Owner> => {
  const owners = ownerCache(world);
  if (owners.get(token)?.kind !== "project") checkUnknownCaller(world, ip);
  const now = world.clock.now();
  try {
    const owner = await lookUp(token, world);
    owners.set(token, owner, now + (owner === UNKNOWN ? MISSING_MS : FOUND_MS));
    return owner;
  } catch (cause) {
    world.log.line("warn", "capture.look-up-failed", { reason: String(cause) });
    // One that is past its time is better than none while the table does not answer.
    return owners.get(token) ?? { kind: "unresolved", token };
  }
};

/** Throws `Refused` (503) where no more is looked at for unknown callers from this address for a while: SDKs send that again. */
export const checkUnknownCaller = (world: Ports, ip: string): void => {
  if (unknownCallerWaitMs(world, ip) > 0)
    throw new Refused(503, "transient error, please retry", "too much came from this address without a known token");
};

/** Consistent: a token that was just handed out must work, because an SDK takes 401 as final and drops its events. */
const lookUp = async (token: string, world: Ports): Promise<Owner> => {
  const item = await world.table.get(tokenItem(token), { consistent: true });
  if (item === undefined) return UNKNOWN;
  const found = decodeProjectToken(item);
  if (found.state === "removed") return UNKNOWN;
  return {
    kind: "project",
    project: found.project_id,
    organization: found.organization_id,
    autocaptureExceptions: found.autocapture_exceptions,
  };
};
