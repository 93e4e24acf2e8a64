import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import type { World } from "../../../lib/app/world.ts";
import { type ApiClient, apiClient } from "../api-client.ts";

/** The people of such an organization: two of the addresses lie outside its verified domain. */
export const PEOPLE = {
  owner: { email: "ana", level: "owner" },
  admin: { email: "adam", level: "admin" },
  member: { email: "mia", level: "member" },
  outsider: { email: "bob", level: "member", outside: true },
  outsideOwner: { email: "olga", level: "owner", outside: true },
} as const;
type Person = keyof typeof PEOPLE;

export interface AnOrganization {
  readonly id: string;
  readonly project: number;
  readonly domain: string;
  readonly as: Readonly<Record<Person, ApiClient>>;
  readonly userIds: Readonly<Record<Person, number>>;
  readonly keys: Readonly<Record<Person, string>>;
}

let made = 0;

const PERSONS = Object.keys(PEOPLE) as readonly Person[];

/** An organization with a verified domain, a project and one person of each kind; everything is its own. */
export const anOrganizationOfMany = async (
  { world, baseUrl }: { readonly world: Pick<World, "table" | "clock" | "ids" | "tokenKeys">; readonly baseUrl: string },
  more: Readonly<Record<string, unknown>> = {},
): Promise<AnOrganization> => {
  made += 1;
  const domain = `house-${made}.test`;
  const tree = await applyDocument(world, {
    organizations: [
      {
        key: `house-${made}`,
        name: `House ${made}`,
        domains: [{ domain, verified: true }],
        members: PERSONS.map((person) => ({
          email: `${PEOPLE[person].email}@${"outside" in PEOPLE[person] ? "elsewhere-" : ""}${domain}`,
          first_name: PEOPLE[person].email,
          level: PEOPLE[person].level,
          personal_api_keys: [{ label: "all", scopes: ["*"] }],
        })),
        projects: [{ key: "web", name: "Web" }],
        ...more,
      },
    ],
  });
  const [organization] = tree.organizations;
  const [project] = organization?.projects ?? [];
  if (organization === undefined || project === undefined) throw new Error("the document made no organization");
  const members = PERSONS.map((person, at) => ({ person, member: organization.members[at] }));
  const each = <T>(value: (member: NonNullable<(typeof members)[number]["member"]>) => T) =>
    Object.fromEntries(members.map(({ person, member }) => [person, member && value(member)])) as Readonly<Record<Person, T>>;
  const keys = each((member) => member.personal_api_keys[0]?.value ?? "");
  const as = Object.fromEntries(PERSONS.map((person) => [person, apiClient(baseUrl, keys[person])])) as Readonly<Record<Person, ApiClient>>;
  return { id: organization.id, project: project.id, domain, as, keys, userIds: each(({ user_id }) => user_id) };
};
