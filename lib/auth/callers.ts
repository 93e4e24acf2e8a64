import { cache, perOwner } from "../core/cache.ts";
import { HOUR_MS } from "../core/time.ts";
import { hashOf } from "../keys/credential.ts";
import { findCredential } from "../keys/credentials.ts";
import { type PersonalApiKey, PersonalApiKeys } from "../keys/personal-api-keys.ts";
import { type ProjectSecretKey, ProjectSecretKeys } from "../keys/project-secret-keys.ts";
import type { TeamSecretToken } from "../keys/team-secret-tokens.ts";
import { type Organization, Organizations } from "../organizations/organizations.ts";
import { type User, Users } from "../organizations/users.ts";
import type { Ports } from "../ports/ports.ts";
import { type Condition, ConditionFailed, type Table } from "../ports/table.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { get, update } from "../table/store.ts";
import { openGuesses } from "./guesses.ts";

/** A person who calls with a key of their own. */
export interface PersonalCaller {
  readonly kind: "personal";
  readonly key: PersonalApiKey;
  readonly user: User;
}

/** A project's back end, which calls with the project's secret key. No person stands behind it. */
export interface SecretCaller {
  readonly kind: "secret";
  readonly key: ProjectSecretKey;
}

export type Caller = PersonalCaller | SecretCaller;

/** A project's back end that calls with the project's older secret, which opens the single account only. */
export interface TeamCaller {
  readonly kind: "team";
  readonly key: TeamSecretToken;
}

/**
 * The caller who holds the key with this value; undefined when no key has it or its user is deactivated. `source` is the address that
 * presents it: from one that presents many wrong keys none is looked up for a while, which throws 429.
 */
export const findCaller = (
  { table, clock }: Pick<Ports, "table" | "clock">,
  value: string,
  source: string,
): Promise<Caller | TeamCaller | undefined> => {
  const { callers, guesses } = memoryOf(table);
  const hash = hashOf(value);
  return callers.of(hash, clock.now(), LIFETIME_MS, async () => {
    const now = clock.now();
    if (guesses.isKnownWrong(hash, now)) return undefined;
    guesses.admit(source, now);
    const caller = await readCaller(table, value);
    if (caller === undefined) guesses.wrong(hash, source, now);
    else if (caller.kind !== "team") await noteUse(table, caller, now);
    return caller;
  });
};

/** The project with this id, as it was at most half a minute ago; undefined when there is none or it is removed. */
export const findProject = ({ table, clock }: Pick<Ports, "table" | "clock">, id: number): Promise<Project | undefined> =>
  memoryOf(table).projects.of(id, clock.now(), LIFETIME_MS, async () => {
    const project = await get(table, Projects, { id }, { consistent: true });
    return project?.state === "active" ? project : undefined;
  });

/** The organization with this id, as it was at most half a minute ago; undefined when there is none or it is removed. */
export const findOrganization = ({ table, clock }: Pick<Ports, "table" | "clock">, id: string): Promise<Organization | undefined> =>
  memoryOf(table).organizations.of(id, clock.now(), LIFETIME_MS, () => readOrganization(table, id));

/** The organization with this id as it is now; undefined when there is none or it is removed. For answers that show it. */
export const readOrganization = async (table: Table, id: string): Promise<Organization | undefined> => {
  const organization = await get(table, Organizations, { id }, { consistent: true });
  return organization?.state === "active" ? organization : undefined;
};

/** Makes this process read keys, users, projects and organizations afresh: for whoever has just revoked a key. */
export const forgetCallers = (table: Table): void => {
  const { callers, projects, organizations } = memoryOf(table);
  callers.clear();
  projects.clear();
  organizations.clear();
};

/** How long a process trusts what it found. */
const LIFETIME_MS = 30_000;
const CAPACITY = 5_000;

const memoryOf = perOwner((_: Table) => ({
  callers: cache<string, Caller | TeamCaller>({ capacity: CAPACITY }),
  projects: cache<number, Project>({ capacity: CAPACITY }),
  organizations: cache<string, Organization>({ capacity: CAPACITY }),
  guesses: openGuesses(),
}));

const readCaller = async (table: Table, value: string): Promise<Caller | TeamCaller | undefined> => {
  const credential = await findCredential(table, value);
  switch (credential?.kind) {
    case "personal": {
      const user = await get(table, Users, { id: credential.key.user_id }, { consistent: true });
      return user?.is_active ? { kind: "personal", key: credential.key, user } : undefined;
    }
    case "secret":
      return { kind: "secret", key: credential.key };
    case "team":
      return { kind: "team", key: credential.key };
    default:
      return undefined;
  }
};

/** Writes the time of use, at most once an hour however many processes see the key. */
const noteUse = async (table: Table, { kind, key }: Caller, now: number): Promise<void> => {
  const due = new Date(now - HOUR_MS).toISOString();
  if (key.last_used_at !== null && key.last_used_at > due) return;
  const revision = { set: { last_used_at: new Date(now).toISOString() } };
  const when: Condition = {
    kind: "any",
    of: [
      { kind: "lacks", attribute: "last_used_at" },
      { kind: "equals", attribute: "last_used_at", value: null },
      { kind: "less", attribute: "last_used_at", value: due },
    ],
  };
  try {
    if (kind === "personal") await update(table, PersonalApiKeys, { hash: key.hash }, revision, when);
    else await update(table, ProjectSecretKeys, { hash: key.hash }, revision, when);
  } catch (thrown) {
    // Another process has just written it, or the key is gone and the next look-up will say so.
    if (!(thrown instanceof ConditionFailed)) throw thrown;
  }
};
