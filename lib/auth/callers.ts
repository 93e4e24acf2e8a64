import { cache, perOwner } from "../core/cache.ts";
import { HOUR_MS, SECOND_MS } from "../core/time.ts";
import type { Call } from "../http/access.ts";
import { throttled } from "../http/errors.ts";
import { keyHash, keyItem } from "../keys/credential.ts";
import { type PersonalApiKey, PersonalApiKeys } from "../keys/personal-api-keys.ts";
import { type ProjectSecretKey, ProjectSecretKeys } from "../keys/project-secret-keys.ts";
import { type TeamSecretToken, TeamSecretTokens } from "../keys/team-secret-tokens.ts";
import { type Organization, Organizations } from "../organizations/organizations.ts";
import { type User, Users } from "../organizations/users.ts";
import type { Ports } from "../ports/ports.ts";
import { type Condition, ConditionFailed, type Table } from "../ports/table.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { decode } from "../table/entity.ts";
import { get, update } from "../table/store.ts";
import { openDebts } from "./rates/debts.ts";

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

/** Where in a request a key was found, in the words of the error that refuses it. */
type KeyPlace = "Authorization header" | "body" | "query string";

export interface PresentedKey {
  readonly value: string;
  readonly place: KeyPlace;
}

const BEARER = /^Bearer +(\S.*)$/;
const FIELD = "personal_api_key";

/** The first key that a request presents: it is the only one tried. Another scheme, also `bearer`, presents nothing. */
export const presentedKey = (call: Call): PresentedKey | undefined => {
  const inHeader = keyInHeader(call);
  if (inHeader !== undefined) return { value: inHeader, place: "Authorization header" };
  const inBody = call.peek(FIELD);
  if (inBody) return { value: inBody, place: "body" };
  const inQuery = call.query[FIELD];
  return inQuery ? { value: inQuery, place: "query string" } : undefined;
};

/** The key in a request's header, which is found without its body. */
export const keyInHeader = ({ request }: Pick<Call, "request">): string | undefined =>
  BEARER.exec(request.headers.authorization?.trim() ?? "")?.[1];

/**
 * The caller who holds the key with this value; undefined when no key has it or its user is deactivated. `source` is the address that
 * presents it: from one that presents many wrong keys none is looked up for a while, which throws 429.
 */
export const findCaller = (
  { table, clock }: Pick<Ports, "table" | "clock">,
  value: string,
  source: string,
): Promise<Caller | TeamCaller | undefined> => {
  const { callers, guesses } = callerCaches(table);
  const hash = keyHash(value);
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
  callerCaches(table).projects.of(id, clock.now(), LIFETIME_MS, async () => {
    const project = await get(table, Projects, { id }, { consistent: true });
    return project?.state === "active" ? project : undefined;
  });

/** The organization with this id, as it was at most half a minute ago; undefined when there is none or it is removed. */
export const findOrganization = ({ table, clock }: Pick<Ports, "table" | "clock">, id: string): Promise<Organization | undefined> =>
  callerCaches(table).organizations.of(id, clock.now(), LIFETIME_MS, () => readOrganization(table, id));

/** The organization with this id as it is now; undefined when there is none or it is removed. For answers that show it. */
export const readOrganization = async (table: Table, id: string): Promise<Organization | undefined> => {
  const organization = await get(table, Organizations, { id }, { consistent: true });
  return organization?.state === "active" ? organization : undefined;
};

/** Makes this process read keys, users, projects and organizations afresh: for whoever has just revoked a key. */
export const forgetCallers = (table: Table): void => {
  const { callers, projects, organizations } = callerCaches(table);
  callers.clear();
  projects.clear();
  organizations.clear();
};

/** How long a process trusts what it found. */
const LIFETIME_MS = 30_000;
const CAPACITY = 5_000;

const callerCaches = perOwner((_: Table) => ({
  callers: cache<string, Caller | TeamCaller>({ capacity: CAPACITY }),
  projects: cache<number, Project>({ capacity: CAPACITY }),
  organizations: cache<string, Organization>({ capacity: CAPACITY }),
  guesses: openGuesses(),
}));

/** One consistent read of the key, so that it works from the moment it is shown and stops when it is revoked. */
const readCaller = async (table: Table, value: string): Promise<Caller | TeamCaller | undefined> => {
  const stored = await table.get(keyItem(value), { consistent: true });
  switch (stored?.entity) {
    case PersonalApiKeys.name: {
      const key = decode(PersonalApiKeys, stored);
      const user = await get(table, Users, { id: key.user_id }, { consistent: true });
      return user?.is_active ? { kind: "personal", key, user } : undefined;
    }
    case ProjectSecretKeys.name:
      return { kind: "secret", key: decode(ProjectSecretKeys, stored) };
    case TeamSecretTokens.name:
      return { kind: "team", key: decode(TeamSecretTokens, stored) };
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

/** Keys that do not exist, as a process met them lately, and how many of them each source tried. */
interface Guesses {
  /** Whether nobody had this key a moment ago, so that the table need not be asked again. */
  isKnownWrong(keyHash: string, now: number): boolean;
  /** Counts a look-up of a key that the process does not know, or throws 429 where its source has tried too many wrong ones. */
  admit(source: string, now: number): void;
  wrong(keyHash: string, source: string, now: number): void;
}

/** A key's value is random, so nobody can present it before it is made: to forget it for a moment wrongs nobody. */
const WRONG_MS = 5_000;
/** Different wrong keys that one source may try, and how soon it gets one more: mistakes pass, a list of guesses does not. */
const MOST_WRONG = 200;
const ONE_MORE_MS = 100;
/** Whoever invents keys or comes from everywhere must not fill the memory. */
const MOST_GUESSES = 10_000;

const openGuesses = (): Guesses => {
  const wrongKeys = cache<string, true>({ capacity: MOST_GUESSES });
  /** By source: its wrong keys, as the time in which these are forgiven. */
  const debts = openDebts(MOST_GUESSES);
  return {
    isKnownWrong: (keyHash, now) => wrongKeys.get(keyHash, now) === true,
    admit(source, now) {
      const waitMs = debts.owedMs(source, now) - (MOST_WRONG - 1) * ONE_MORE_MS;
      if (waitMs > 0) throw throttled(waitMs / SECOND_MS);
    },
    wrong(keyHash, source, now) {
      wrongKeys.set(keyHash, true, now + WRONG_MS);
      debts.add(source, now, ONE_MORE_MS);
    },
  };
};
