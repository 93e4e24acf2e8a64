import { type ReachedProject, type Session, useSession } from "../../calls/session.ts";

/** What somebody may see and do beside a project's health. */
export interface Rights {
  /** The organization's members and domains: its own calls take no key that is restricted to projects. */
  readonly organization: boolean;
  /** What admins and owners may do. */
  readonly admin: boolean;
}

export const useRights = ({ organization_id }: ReachedProject): Rights => {
  const { who } = useSession();
  const level = who?.organizations.find(({ id }) => id === organization_id)?.level;
  return { organization: who?.scoped_teams.length === 0, admin: level === "admin" || level === "owner" };
};

/** The tabs of the view that a key may see; the first has no name in the address. */
export const shownTabs = ({ may }: Pick<Session, "may">, { organization }: Rights): readonly { name: string; title: string }[] =>
  [
    { name: "", title: "Now", shown: may("project:read") },
    { name: "types", title: "Types", shown: may("property_definition:read") || may("project:read") },
    { name: "keys", title: "Keys", shown: may("personal_api_key:read") },
    { name: "members", title: "Members", shown: organization && may("organization_member:read") },
    { name: "domains", title: "Domains", shown: organization && may("organization:read") },
  ].filter(({ shown }) => shown);
