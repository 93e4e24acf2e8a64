import { beforeAll, describe, expect, it } from "vitest";
import { groups } from "../../functions/index.ts";
import { type Group, group } from "../../lib/app/routes.ts";
import { fill } from "../../lib/core/template.ts";
import type { AccessRule } from "../../lib/http/access.ts";
import type { DeclaredRoute } from "../../lib/http/route.ts";
import { keyHash } from "../../lib/keys/credential.ts";
import { SCOPES, SECRET_KEY_SCOPES } from "../../lib/keys/scopes.ts";
import { TeamSecretTokens } from "../../lib/keys/team-secret-tokens.ts";
import { LEVELS, type LevelName } from "../../lib/organizations/organizations.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { put } from "../../lib/table/store.ts";
import { aHousehold, aMembership, aPersonalKey, aProject, apiWorld, aRequest, aSecretKey, aUser } from "../support/worlds/api-world.ts";

/** What an operation answers here in place of its own answer, once everything about its caller is decided. */
const ADMITTED = 299;

/** The same operations behind the same front door; what they would do is left out, because only who may is asked. */
const gate = (of: Group): Group =>
  group({
    ...of,
    routes: of.routes.map((route) => ({
      ...route,
      async identify(call, world) {
        const identified = await route.identify(call, world);
        return {
          async admit() {
            const { project } = await identified.admit();
            return { project, throttle: async () => undefined, answer: async () => ({ status: ADMITTED, headers: {}, body: "" }) };
          },
        };
      },
    })),
  });

const gated = groups.filter(({ routes }) => routes.length > 0).map(gate);
const operations = gated.flatMap((of) => of.routes.map((route) => ({ id: route.id, of, route })));
const guarded = operations.filter(({ route }) => route.access.level !== "anyone");

const ROLES = ["owner", "admin", "member", "non-member"] as const;
type Role = (typeof ROLES)[number];

/** Where a call goes: the project of the key, another one of its organization, or one of another organization. */
const PLACES = ["own project", "other project", "other organization"] as const;
type Place = (typeof PLACES)[number];

type Credential =
  | { readonly kind: "none" | "malformed" | "unknown" | "project token" | "team token" }
  /** An owner's key with `*`, restricted to the first project. */
  | { readonly kind: "restricted" }
  | { readonly kind: "secret"; readonly scopes: readonly string[] }
  | { readonly kind: "personal"; readonly scopes: readonly string[]; readonly role: Role };

const CREDENTIALS: readonly Credential[] = [
  ...(["none", "malformed", "unknown", "project token", "team token", "restricted"] as const).map((kind) => ({ kind })),
  ...[...SECRET_KEY_SCOPES.map((scope) => [scope]), []].map((scopes) => ({ kind: "secret", scopes }) as const),
  ...ROLES.flatMap((role) => [...SCOPES.map((scope) => [scope]), ["*"], []].map((scopes) => ({ kind: "personal", scopes, role }) as const)),
];

/** Said again, apart from the product: `*` is everything, and to write is to read. */
const opens = (held: readonly string[], needed: readonly string[]): boolean =>
  needed.every((scope) => held.includes("*") || held.includes(scope) || held.includes(scope.replace(":read", ":write")));

/** The status that an operation's declaration promises a caller. */
const promised = (route: DeclaredRoute, credential: Credential, place: Place): number => {
  const rule = route.access;
  const admittedIf = (holds: boolean, otherwise = 403): number => (holds ? ADMITTED : otherwise);
  switch (credential.kind) {
    case "none":
    case "malformed":
    case "unknown":
    case "project token":
      return 401;
    case "team token":
      return admittedIf(rule.teamTokens === true, 401);
    case "secret":
      return admittedIf(rule.secretKeys && opens(credential.scopes, rule.scopes) && (rule.level === "account" || place === "own project"));
    case "restricted":
      if (rule.level === "account") return 401;
      return admittedIf(
        rule.level === "user"
          ? rule.billing !== undefined || !rule.scopes.some(isPlaced)
          : rule.level === "project" && place === "own project",
      );
    case "personal":
      if (rule.level === "account") return 401;
      if (!opens(credential.scopes, rule.scopes)) return 403;
      if (rule.billing !== undefined) return admittedIf(BILLING[rule.billing].includes(credential.role));
      return rule.level === "user" ? ADMITTED : promisedToMember(rule, route, credential.role, place);
  }
};

/** Who has which access to billing, where the organization has changed nothing about it. */
const BILLING: Readonly<Record<NonNullable<AccessRule["billing"]>, readonly Role[]>> = {
  full: ["owner", "admin"],
  usage: ["owner", "admin"],
  member: ["owner", "admin", "member"],
};

/** What these scopes open is the caller's own, or finds its organization by itself. */
const isPlaced = (scope: string): boolean => !/^(user|billing|personal_api_key):/.test(scope);

const promisedToMember = (rule: AccessRule, route: DeclaredRoute, role: Role, place: Place): number => {
  // An organization's own path tells strangers nothing of it.
  const stranger = rule.level === "organization" && !route.path.includes("{organization_id}") ? 404 : 403;
  if (role === "non-member" || place === "other organization") return stranger;
  return LEVELS[role] >= LEVELS[rule.role ?? "member"] ? ADMITTED : 403;
};

const placesOf = ({ access }: DeclaredRoute): readonly Place[] => {
  if (access.level === "project") return PLACES;
  return access.level === "organization" ? ["own project", "other organization"] : ["own project"];
};

const UNTHROTTLED = readConfig((field) => (field === "throttleScale" ? "100000" : undefined));

const setup = async () => {
  const { world } = apiWorld({ config: UNTHROTTLED });
  const home = await aHousehold(world, 1);
  await aProject(world, home.organization, 2);
  const away = await aHousehold(world, 3);
  const team = "phs_team";
  await put(world.table, TeamSecretTokens, {
    hash: keyHash(team),
    project_id: 1,
    organization_id: home.organization.id,
    created_at: home.organization.created_at,
  });
  const people = new Map<Role, Awaited<ReturnType<typeof aUser>>>();
  for (const [at, role] of ROLES.entries()) {
    const user = await aUser(world, 10 + at);
    people.set(role, user);
    if (role !== "non-member") await aMembership(world, user, home.organization, role satisfies LevelName);
  }
  const headerOf = async (credential: Credential): Promise<string | undefined> => {
    switch (credential.kind) {
      case "none":
        return undefined;
      case "malformed":
        return `bearer ${home.key}`;
      case "unknown":
        return "Bearer phx_nobody";
      case "project token":
        return `Bearer ${home.project.api_token}`;
      case "team token":
        return `Bearer ${team}`;
      case "restricted":
        return `Bearer ${await aPersonalKey(world, home.user, ["*"], { teams: [1] })}`;
      case "secret":
        return `Bearer ${await aSecretKey(
          world,
          home.project,
          SECRET_KEY_SCOPES.filter((scope) => credential.scopes.includes(scope)),
        )}`;
      case "personal":
        return `Bearer ${await aPersonalKey(world, people.get(credential.role) ?? home.user, credential.scopes)}`;
    }
  };
  const headers = new Map<Credential, string | undefined>();
  for (const credential of CREDENTIALS) headers.set(credential, await headerOf(credential));

  const targetOf = (route: DeclaredRoute, place: Place): string => {
    const project = { "own project": "1", "other project": "2", "other organization": "3" }[place];
    const organization = place === "other organization" ? away.organization.id : home.organization.id;
    const holeValue = (hole: string): string => {
      if (hole === "project_id") return project;
      return hole === "organization_id" || route.access.level === "organization" ? organization : "0190d0aa-0000-7000-8000-00000000000f";
    };
    return fill(route.path, new Proxy({}, { get: (_, hole) => holeValue(String(hole)) }), encodeURIComponent);
  };
  const statusOf = async (of: Group, route: DeclaredRoute, credential: Credential, place: Place): Promise<number> => {
    const authorization = headers.get(credential);
    const request = aRequest(route.method, targetOf(route, place), { headers: authorization === undefined ? {} : { authorization } });
    return (await of.serve(request, world)).status;
  };
  return { statusOf };
};

let built: Awaited<ReturnType<typeof setup>>;
beforeAll(async () => {
  built = await setup();
});

let cells = 0;

describe("who may do what", () => {
  it.each(guarded)("is as declared: $id", async ({ of, route }) => {
    const wrong: unknown[] = [];
    for (const credential of CREDENTIALS) {
      for (const place of placesOf(route)) {
        cells += 1;
        const status = await built.statusOf(of, route, credential, place);
        const expected = promised(route, credential, place);
        if (status !== expected) wrong.push({ credential, place, status, expected });
      }
    }
    expect(wrong).toEqual([]);
  });

  it("is checked for every operation, credential, place and role", () => {
    process.stdout.write(`authorization: ${guarded.length} operations, ${cells} cells\n`);
    expect(cells).toBe(guarded.reduce((sum, { route }) => sum + CREDENTIALS.length * placesOf(route).length, 0));
    expect(cells).toBeGreaterThan(9_000);
  });
});

/** Operations for everybody, and those for any key of a person: whoever adds one says so here, too. */
const PUBLIC: readonly string[] = [
  "GET /api/schema/",
  "GET /api/code/sandbox-pricing/",
  "POST /api/billing/webhooks/stripe/",
  "GET /shared/{token}/",
  "GET /shared/{token}/tiles/{tile_id}/",
];
const ANY_KEY: readonly string[] = [
  "POST /api/organizations/{id}/request_ai_access/",
  "GET /api/code/invites/check-access/",
  "GET /api/personal_api_keys/@current/",
];

it("every operation declares whom it admits", () => {
  const open = operations.filter(({ route }) => route.access.level === "anyone").map(({ id }) => id);
  expect(open.filter((id) => !PUBLIC.includes(id))).toEqual([]);
  expect(guarded.filter(({ id, route }) => route.access.scopes.length === 0 && !ANY_KEY.includes(id)).map(({ id }) => id)).toEqual([]);
});
