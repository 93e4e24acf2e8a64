import { cache, perOwner } from "../core/cache.ts";
import { tokenItemOf } from "../keys/credential.ts";
import { projectTokenOf } from "../keys/project-tokens.ts";
import type { Ports } from "../ports/ports.ts";

/** Tokens that a process remembers at most: a caller who invents tokens must not fill its memory. */
const MAX_REMEMBERED = 10_000;
/** How long a process may use a found project, and one that does not exist, milliseconds. */
const FOUND_MS = 30_000;
const MISSING_MS = 5_000;

/** Whose events a token brings. `unresolved`: the table did not answer, so the batch is let in and ingest finds out. */
export type Owner =
  | { readonly kind: "project"; readonly project: number; readonly organization: string; readonly autocaptureExceptions: boolean }
  | { readonly kind: "unknown" }
  | { readonly kind: "unresolved"; readonly token: string };

const UNKNOWN: Owner = { kind: "unknown" };
const ownersOf = perOwner((_: Ports) => cache<string, Owner>({ capacity: MAX_REMEMBERED }));

export const ownerOf = async (token: string, world: Ports): Promise<Owner> => {
  const owners = ownersOf(world);
  const now = world.clock.now();
  const known = owners.get(token, now);
  if (known !== undefined) return known;
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

/** Consistent: a token that was just handed out must work, because an SDK takes 401 as final and drops its events. */
const lookUp = async (token: string, world: Ports): Promise<Owner> => {
  const item = await world.table.get(tokenItemOf(token), { consistent: true });
  if (item === undefined) return UNKNOWN;
  const found = projectTokenOf(item);
  if (found.state === "removed") return UNKNOWN;
  return {
    kind: "project",
    project: found.project_id,
    organization: found.organization_id,
    autocaptureExceptions: found.autocapture_exceptions,
  };
};
