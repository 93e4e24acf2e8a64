import { SECOND_MS } from "../core/time.ts";
import { isCanonicalUuid } from "../core/uuid.ts";
import type { Access, AccessRule, Admission, Call, Identity, Rate } from "../http/access.ts";
import { authenticationFailed, notAuthenticated, notFound, permissionDenied, throttled } from "../http/errors.ts";
import { missingScope, reading, type Scope } from "../keys/scopes.ts";
import type { Membership } from "../organizations/memberships.ts";
import { LEVELS, type LevelName, type Organization } from "../organizations/organizations.ts";
import type { Ports } from "../ports/ports.ts";
import type { Project } from "../projects/projects.ts";
import type { ReadBeside } from "../table/read-beside.ts";
import {
  type Caller,
  findCaller,
  findOrganization,
  findProject,
  keyInHeader,
  type PersonalCaller,
  type PresentedKey,
  presentedKey,
  readOrganization,
  type SecretCaller,
} from "./callers.ts";
import { CURRENT, checkActive, checkMember, currentOrganization, currentProject, membershipIn, placeInProject } from "./membership.ts";
import { type RequestCount, startCount } from "./rates/throttle.ts";
import { noteUnknownCaller, unknownCallerWaitMs } from "./unknown-callers.ts";

/** A person acting in a project of theirs. */
export interface ProjectGrant {
  readonly project: Project;
  readonly organization: Organization;
  readonly caller: PersonalCaller;
  readonly membership: Membership;
}

/** A project's back end acting in that project. */
export interface SecretGrant {
  readonly project: Project;
  readonly caller: SecretCaller;
}

/** A person acting in an organization of theirs. */
export interface OrganizationGrant {
  readonly organization: Organization;
  readonly caller: PersonalCaller;
  readonly membership: Membership;
}

/** A person acting for themselves. */
export interface PersonalGrant {
  readonly caller: PersonalCaller;
}

const NO_SECRET_KEYS = "This action does not support project secret API key access";
const NO_SCOPED_PROJECTS = "API keys with scoped projects are only supported on project-based endpoints.";

/** Everybody, without a key and without a throttle. */
export const anyone: Access<Ports, undefined> = Object.freeze({
  rule: { level: "anyone", scopes: [], secretKeys: false } as const,
  identify: async () => ({ admit: async () => ({ grant: undefined, throttle: async () => undefined }) }),
});

/**
 * A personal key with the scope, or with all of several, of a member of the organization that the project of the path's `{project_id}`
 * belongs to: of one who has at least the `level`, where that is named.
 */
export function projectKey(scope: Scope | readonly Scope[], options?: { readonly level: LevelName }): Access<Ports, ProjectGrant>;
/** The same, or a secret key of that very project. */
export function projectKey(scope: Scope, options: { readonly secretKeys: true }): Access<Ports, ProjectGrant | SecretGrant>;
export function projectKey(
  scope: Scope | readonly Scope[],
  { secretKeys = false, level }: { readonly secretKeys?: boolean; readonly level?: LevelName } = {},
): Access<Ports, ProjectGrant | SecretGrant> {
  const scopes = typeof scope === "string" ? [scope] : scope;
  const rule = { level: "project", scopes, ...(level !== undefined && { role: level }) } as const;
  if (secretKeys)
    return keyed({ ...rule, secretKeys }, (caller, call, world, meanwhile) => admitToProject(scopes, caller, call, world, meanwhile));
  return keyedPerson(rule, (caller, call, world, meanwhile) => admitPerson(scopes, caller, call, world, meanwhile, level));
}

/** How an organization's own paths and the paths below them differ in what they say to those who are no members. */
export interface OrganizationOptions {
  /** The hole of the path that names the organization. */
  readonly hole?: "organization_id" | "id";
  /** The least level of a membership. */
  readonly level?: LevelName;
  /** Who may call it though their address is outside the verified domains that the organization insists on. */
  readonly whileBlocked?: "owner";
}

/**
 * A personal key with the scope, or null for any scope, of a member of the organization that the path names. With `hole: "id"`
 * the path is the organization's own and answers 404 to those who are no members; the paths below it answer 403.
 */
export const organizationKey = (
  scope: Scope | null,
  { hole = "organization_id", level = "member", whileBlocked }: OrganizationOptions = {},
): Access<Ports, OrganizationGrant> => {
  const scopes = scope === null ? [] : [scope];
  return keyedPerson({ level: "organization", scopes, role: level }, async (caller, call, world) => {
    const own = hole === "id";
    const { key } = caller;
    if (key.scoped_teams.length > 0) throw permissionDenied(NO_SCOPED_PROJECTS);
    const requested = call.params[hole] ?? "";
    const id = requested === CURRENT ? await currentOrganization(world.table, caller) : requested.toLowerCase();
    const organization = id !== undefined && isCanonicalUuid(id) ? await readOrganization(world.table, id) : undefined;
    if (organization === undefined) throw notFound(own ? undefined : "Organization not found.");
    if (!covers(key.scoped_organizations, organization.id)) throw own ? notFound() : deniedOrganization(organization.id);
    checkScopes(key.scopes, scopesFor(call, scopes));
    const membership = await membershipIn(world.table, caller, organization);
    if (membership === undefined) throw own ? notFound() : permissionDenied("You don't have access to the organization.");
    await checkMember(world.table, { organization, membership }, caller.user, { whileBlocked });
    checkLevel(membership, level);
    return { grant: { organization, caller, membership } };
  });
};

const checkLevel = (membership: Membership, level: LevelName): void => {
  if (membership.level < LEVELS[level]) throw permissionDenied("Your organization access level is insufficient.");
};

/** Objects whose operations belong to the caller alone or find their organization themselves, so that a key's projects do not matter. */
const UNPLACED_OBJECTS: ReadonlySet<string> = new Set(["user", "billing", "personal_api_key"]);

/** Any personal key with all of the scopes, on a path that names neither project nor organization. */
export const personalKey = (...scopes: readonly Scope[]): Access<Ports, PersonalGrant> => {
  const placed = scopes.some((scope) => !UNPLACED_OBJECTS.has(scope.split(":", 1)[0] ?? ""));
  return keyedPerson({ level: "user", scopes }, async (caller, call) => {
    if (placed && caller.key.scoped_teams.length > 0) throw permissionDenied(NO_SCOPED_PROJECTS);
    checkScopes(caller.key.scopes, scopesFor(call, scopes));
    return { grant: { caller } };
  });
};

const NO_SCOPED_ORGANIZATIONS = "API keys with scoped organizations reach these and no other.";

/** A personal key with all of the scopes that is restricted to no organization and no project: for what belongs to none that there is. */
export const unrestrictedKey = (...scopes: readonly Scope[]): Access<Ports, PersonalGrant> =>
  keyedPerson({ level: "user", scopes }, async (caller, call) => {
    if (caller.key.scoped_teams.length > 0) throw permissionDenied(NO_SCOPED_PROJECTS);
    if (caller.key.scoped_organizations.length > 0) throw permissionDenied(NO_SCOPED_ORGANIZATIONS);
    checkScopes(caller.key.scopes, scopesFor(call, scopes));
    return { grant: { caller } };
  });

type KeyAdmission<G> = Pick<Admission<G>, "grant" | "project"> & { readonly count?: RequestCount };

/** What can be done while a caller is admitted. */
interface Meanwhile {
  /** Begins to count the request. */
  readonly startCount: () => RequestCount;
  readonly beside: ReadBeside | undefined;
}

/** An access by key: who calls is settled first, what they may do by `admit`, and how often by who they are. */
const keyed = <G>(
  rule: AccessRule,
  admit: (caller: Caller, call: Call, world: Ports, meanwhile: Meanwhile) => Promise<KeyAdmission<G>>,
): Access<Ports, G> =>
  Object.freeze({
    rule,
    async identify(call: Call, world: Ports): Promise<Identity<G>> {
      const caller = await authenticate(call, world);
      return {
        async admit(rate, beside) {
          const start = (): RequestCount => startCount(world, countedAs(caller, rate), rate);
          const { count, ...admitted } = await admit(caller, call, world, { startCount: start, beside });
          return { ...admitted, throttle: () => (count ?? start()).done };
        },
      };
    },
  });

/** The same for personal keys alone. */
export const keyedPerson = <G>(
  rule: Omit<AccessRule, "secretKeys">,
  admit: (caller: PersonalCaller, call: Call, world: Ports, meanwhile: Meanwhile) => Promise<KeyAdmission<G>>,
): Access<Ports, G> =>
  keyed({ ...rule, secretKeys: false }, async (caller, ...rest) => {
    if (caller.kind === "secret") throw permissionDenied(NO_SECRET_KEYS);
    return admit(caller, ...rest);
  });

/** Admits while the request is counted: two calls side by side. */
const whileCounting = async <G>(start: () => RequestCount, admit: () => Promise<KeyAdmission<G>>): Promise<KeyAdmission<G>> => {
  const count = start();
  try {
    return { ...(await admit()), count };
  } catch (thrown) {
    await count.undo();
    throw thrown;
  }
};

/** Secret keys of a project share one count: the total of a project is bounded as one key is, so a count per key could never refuse first. */
const countedAs = (caller: Caller, rate: Rate): string => {
  if (caller.kind === "secret") return `project#${caller.key.project_id}`;
  return PER_PERSON.has(rate) ? `user#${caller.user.id}` : `key#${caller.key.hash}`;
};

/** Rates of calls that cost money or make files: they are counted by person, because more keys are no way to more of it. */
const PER_PERSON: ReadonlySet<Rate> = new Set(["export", "suggestion"]);

const authenticate = async (call: Call, world: Ports): Promise<Caller> => {
  const { ip, body } = call.request;
  if (keyInHeader(call) === undefined) checkUnknownCaller(world, ip);
  const presented = presentedKey(call);
  const caller = presented && (await findCaller(world, presented.value, ip));
  // A secret key is known by the header only; anywhere else it is an unknown personal key.
  if (caller?.kind === "personal" || (caller?.kind === "secret" && presented?.place === "Authorization header")) return caller;
  noteUnknownCaller(world, ip, body.length);
  if (presented === undefined) throw notAuthenticated();
  throw authenticationFailed(refusalOf(presented));
};

/** The words that refuse a key that nobody has. */
const refusalOf = ({ value, place }: PresentedKey): string =>
  place === "Authorization header" && value.startsWith(ACCESS_TOKEN)
    ? "Invalid access token."
    : `Personal API key found in request ${place} is invalid.`;

/** How the access token of an OAuth application begins; none is given out here. */
const ACCESS_TOKEN = "pha_";

/** Throws 429 where no more bodies from this address are looked through for a key for a while. */
const checkUnknownCaller = (world: Ports, ip: string): void => {
  const waitMs = unknownCallerWaitMs(world, ip);
  if (waitMs > 0) throw throttled(waitMs / SECOND_MS);
};

const admitToProject = (
  scopes: readonly Scope[],
  caller: Caller,
  call: Call,
  world: Ports,
  meanwhile: Meanwhile,
): Promise<KeyAdmission<ProjectGrant | SecretGrant>> =>
  caller.kind === "secret" ? admitSecret(scopes, caller, call, world, meanwhile) : admitPerson(scopes, caller, call, world, meanwhile);

const admitSecret = async (
  scopes: readonly Scope[],
  caller: SecretCaller,
  call: Call,
  world: Ports,
  { beside }: Meanwhile,
): Promise<KeyAdmission<SecretGrant>> => {
  // Nothing else is read of a caller who is known.
  beside?.begin();
  const project = await requestedProject(caller, call, world);
  if (caller.key.project_id !== project.id) throw deniedProject(project.id);
  checkScopes(caller.key.scopes, scopesFor(call, scopes));
  const organization = await findOrganization(world, project.organization_id);
  if (organization === undefined) throw notFound("Project not found.");
  checkActive(organization);
  return { grant: { project, caller }, project: project.id };
};

const admitPerson = async (
  scopes: readonly Scope[],
  caller: PersonalCaller,
  call: Call,
  world: Ports,
  { startCount: start, beside }: Meanwhile,
  level: LevelName = "member",
): Promise<KeyAdmission<ProjectGrant>> => {
  const project = await requestedProject(caller, call, world);
  const { key } = caller;
  if (!covers(key.scoped_teams, project.id)) throw deniedProject(project.id);
  if (!covers(key.scoped_organizations, project.organization_id)) throw deniedOrganization(project.organization_id);
  checkScopes(key.scopes, scopesFor(call, scopes));
  return whileCounting(start, async () => {
    const place = await placeInProject(world.table, caller, project, beside);
    if (place === undefined) throw permissionDenied("You don't have access to the project.");
    await checkMember(world.table, place, caller.user);
    checkLevel(place.membership, level);
    return { grant: { project, caller, ...place }, project: project.id };
  });
};

const INTEGER = /^\d{1,15}$/;

const requestedProject = async (caller: Caller, call: Call, world: Ports): Promise<Project> => {
  const requested = call.params.project_id ?? "";
  const id = requested === CURRENT ? await currentProject(world.table, caller) : INTEGER.test(requested) ? Number(requested) : undefined;
  const project = id === undefined ? undefined : await findProject(world, id);
  if (project === undefined) throw notFound("Project not found.");
  return project;
};

/** An empty restriction restricts nothing. */
export const covers = <T>(restriction: readonly T[], value: T): boolean => restriction.length === 0 || restriction.includes(value);

/** The scopes that a call needs: whoever asks by OPTIONS what lies at a path needs no more than to read there. */
export const scopesFor = ({ request }: Call, scopes: readonly Scope[]): readonly Scope[] =>
  request.method === "OPTIONS" ? scopes.map(reading) : scopes;

export const checkScopes = (held: readonly string[], needed: readonly Scope[]): void => {
  const missing = missingScope(held, needed);
  if (missing !== undefined) throw permissionDenied(`API key missing required scope '${missing}'`);
};

export const deniedProject = (id: number) => permissionDenied(`API key does not have access to the requested project: ID ${id}.`);

export const deniedOrganization = (id: string) => permissionDenied(`API key does not have access to the requested organization: ID ${id}.`);
