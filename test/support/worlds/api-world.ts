import { asFunction, withinRights } from "../../../infra/local/function-rights.ts";
import type { Group } from "../../../lib/app/routes.ts";
import { systemIds } from "../../../lib/app/system.ts";
import type { World } from "../../../lib/app/world.ts";
import type { HttpReply, HttpRequest } from "../../../lib/http/request.ts";
import { keyHash, keyMask } from "../../../lib/keys/credential.ts";
import { PersonalApiKeys } from "../../../lib/keys/personal-api-keys.ts";
import { ProjectSecretKeys } from "../../../lib/keys/project-secret-keys.ts";
import type { SECRET_KEY_SCOPES } from "../../../lib/keys/scopes.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { LEVELS, type LevelName, type Organization, Organizations } from "../../../lib/organizations/organizations.ts";
import { type User, Users } from "../../../lib/organizations/users.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { InvocableName } from "../../../lib/ports/invocations.ts";
import type { QueueDepths, QueueName, Queues } from "../../../lib/ports/queues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { newProject } from "../../../lib/projects/new-project.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { put } from "../../../lib/table/store.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { keptLog } from "../kept-log.ts";
import { memoryTokenKeys } from "../memory-token-keys.ts";

/** 2026-11-20T12:00:00Z. */
export const NOON = Date.UTC(2026, 10, 20, 12);

/** A world of its own table and clock, with the calls to the table counted. Parts that are not given throw when touched. */
export const apiWorld = (parts: Partial<World> = {}) => {
  const counted = countedTable(memoryTable());
  const time = { now: NOON };
  const clock = { now: () => time.now };
  const log = keptLog();
  const sent: { readonly queue: QueueName; readonly body: string }[] = [];
  const started: InvocableName[] = [];
  const known = {
    table: withinRights(counted.table),
    queues: keptQueues(sent),
    queueDepths: keptDepths(sent),
    tokenKeys: memoryTokenKeys(),
    invocations: { start: async (name: InvocableName) => started.push(name) > 0 },
    deadLetters: { receive: async () => [], acknowledge: async () => undefined },
    clock,
    ids: systemIds(clock),
    log,
    config: readConfig(() => undefined),
    ...parts,
  };
  return { world: withAbsentParts(known), time, log, sent, started, calls: counted.calls };
};

/** Queues that nobody drains: what is sent is kept. */
const keptQueues = (sent: { readonly queue: QueueName; readonly body: string }[]): Queues => ({
  async send(queue, messages) {
    for (const { body } of messages) sent.push({ queue, body });
    return [];
  },
});

const keptDepths = (sent: readonly { readonly queue: QueueName }[]): QueueDepths => ({
  read: async (wanted) => ({ waiting: sent.filter(({ queue }) => queue === wanted).length, inFlight: 0, deadLetters: 0 }),
});

/** Guarantee: whatever a test touches beyond the parts it gave is a failure of that test with the part's name, not a silent undefined. */
const withAbsentParts = (known: Partial<World>): World =>
  new Proxy(known, {
    get(parts, name) {
      if (name in parts) return Reflect.get(parts, name);
      if (typeof name === "symbol" || name === "then") return undefined;
      throw new Error(`this test's world has no ${name}`);
    },
  }) as World;

const countedTable = (table: Table): { readonly table: Table; readonly calls: { name: string; pk: string }[] } => {
  const calls: { name: string; pk: string }[] = [];
  const noted = new Proxy(table, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      return (...given: readonly unknown[]) => {
        calls.push({ name: String(name), pk: JSON.stringify(given[0]) });
        return Reflect.apply(value, target, given);
      };
    },
  });
  return { table: noted, calls };
};

export const anOrganization = async (world: World, given: Partial<Organization> = {}): Promise<Organization> => {
  const now = new Date(world.clock.now()).toISOString();
  const organization = Organizations.schema.parse({
    id: world.ids.uuid(),
    name: "Acme",
    slug: "acme",
    created_at: now,
    updated_at: now,
    ...given,
  });
  await put(world.table, Organizations, organization);
  return organization;
};

export const aProject = async (world: World, organization: Organization, id: number): Promise<Project> => {
  const made = newProject(world, { id, organization_id: organization.id, name: `Project ${id}` });
  await world.table.transact(made.writes);
  // The next number that the product gives out must be free.
  await world.table.put({ pk: "sequence#project", sk: "sequence", last: id });
  return made.project;
};

export const aUser = async (world: World, id: number, given: Partial<User> = {}): Promise<User> => {
  const user = Users.schema.parse({
    id,
    uuid: world.ids.uuid(),
    distinct_id: `user-${id}`,
    email: `user${id}@example.com`,
    created_at: new Date(world.clock.now()).toISOString(),
    ...given,
  });
  await put(world.table, Users, user);
  return user;
};

export const aMembership = async (world: World, user: User, organization: Organization, level: LevelName = "member"): Promise<void> => {
  const joined_at = new Date(world.clock.now()).toISOString();
  await put(world.table, Memberships, { organization_id: organization.id, user_id: user.id, level: LEVELS[level], joined_at });
};

/** A personal key's value. */
export const aPersonalKey = async (
  world: World,
  user: User,
  scopes: readonly string[],
  limits: { readonly teams?: readonly number[]; readonly organizations?: readonly string[] } = {},
): Promise<string> => {
  const value = `phx_${world.ids.uuid()}`;
  await put(world.table, PersonalApiKeys, {
    id: world.ids.uuid(),
    hash: keyHash(value),
    mask_value: keyMask(value),
    label: "test",
    description: "",
    user_id: user.id,
    scopes: [...scopes],
    scoped_teams: [...(limits.teams ?? [])],
    scoped_organizations: [...(limits.organizations ?? [])],
    created_at: new Date(world.clock.now()).toISOString(),
    last_used_at: null,
    last_rolled_at: null,
  });
  return value;
};

/** A project secret key's value. */
export const aSecretKey = async (
  world: World,
  project: Project,
  scopes: readonly (typeof SECRET_KEY_SCOPES)[number][],
): Promise<string> => {
  const value = `phs_${world.ids.uuid()}`;
  await put(world.table, ProjectSecretKeys, {
    id: world.ids.uuid(),
    hash: keyHash(value),
    mask_value: keyMask(value),
    label: value,
    project_id: project.id,
    organization_id: project.organization_id,
    scopes: [...scopes],
    created_at: new Date(world.clock.now()).toISOString(),
    last_used_at: null,
    last_rolled_at: null,
  });
  return value;
};

/** An organization with a project and an owner, and the owner's key with the given scopes. */
export const aHousehold = async (world: World, id: number, scopes: readonly string[] = ["*"]) => {
  const organization = await anOrganization(world, { name: `Organization ${id}`, slug: `organization-${id}` });
  const project = await aProject(world, organization, id);
  const user = await aUser(world, id);
  await aMembership(world, user, organization, "owner");
  const key = await aPersonalKey(world, user, scopes);
  return { organization, project, user, key };
};

export interface Asked {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
}

export const aRequest = (method: string, target: string, { key, headers = {}, body }: Asked = {}): HttpRequest => {
  const mark = target.indexOf("?");
  const bytes = body === undefined ? "" : typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
  return {
    id: "request-1",
    method,
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? [] : [...new URLSearchParams(target.slice(mark + 1))],
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    body: typeof bytes === "string" ? Buffer.from(bytes) : bytes,
    origin: "https://api.example.org",
    ip: "127.0.0.1",
  };
};

/** One call through the front door; the reply with its body parsed where it is JSON. */
export const ask = async (
  group: Group,
  world: World,
  method: string,
  target: string,
  asked: Asked = {},
): Promise<HttpReply & { readonly json: unknown }> => {
  const reply = await asFunction(group, () => group.serve(aRequest(method, target, asked), world));
  const isJson = reply.headers["content-type"]?.startsWith("application/json") && reply.body.length > 0;
  return { ...reply, json: isJson ? JSON.parse(String(reply.body)) : undefined };
};
