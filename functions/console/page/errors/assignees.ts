import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { type Assignee, listMembers, listRoles } from "./calls.ts";

/** People and roles that can look after an issue, as choices of a field; and how an assignee is called. */
export interface Assignees {
  readonly choices: readonly { readonly value: string; readonly title: string }[];
  nameOf(assignee: Assignee | null): string;
  /** The choices of a field that holds an assignee already, who may be none of them. */
  choicesBeside(assignee: Assignee | null): Assignees["choices"];
}

export const NOBODY = "none";

/** An assignee as the value of a choice, and in an address. */
export const assigneeValue = (assignee: Assignee | null): string => (assignee === null ? NOBODY : `${assignee.type}:${assignee.id}`);

/** The assignee that a choice stands for. */
export const chosenAssignee = (value: string): Assignee | null => {
  const [type, id = ""] = value.split(":");
  if (type === "user") return { type, id: Number(id) };
  return type === "role" ? { type, id } : null;
};

const MEMBERS_FRESH_MS = 300_000;

/** The members and roles of the project's organization; where the key may not list them, those whom issues name have a number alone. */
export const useAssignees = (project: ReachedProject): Assignees => {
  const { who, may } = useSession();
  const { organization_id } = project;
  // An organization's own calls take no key that is restricted to projects.
  const isListed = may("organization:read") && who?.scoped_teams.length === 0;
  const members = useCall(isListed ? listMembers(organization_id) : undefined, { freshMs: MEMBERS_FRESH_MS });
  const roles = useCall(isListed ? listRoles(organization_id) : undefined, { freshMs: MEMBERS_FRESH_MS });
  const names = new Map<string, string>([
    ...(members.data?.results ?? []).map(
      ({ user }) => [`user:${user.id}`, [user.first_name, user.last_name].filter(Boolean).join(" ") || user.email] as const,
    ),
    ...(roles.data?.results ?? []).map(({ id, name }) => [`role:${id}`, name] as const),
  ]);
  const choices = Array.from(names, ([value, title]) => ({ value, title }));
  const nameOf = (assignee: Assignee | null): string => {
    if (assignee === null) return "nobody";
    return names.get(assigneeValue(assignee)) ?? (assignee.type === "user" ? `user ${assignee.id}` : "a role");
  };
  return {
    choices,
    nameOf,
    choicesBeside: (assignee) =>
      assignee === null || names.has(assigneeValue(assignee))
        ? choices
        : [...choices, { value: assigneeValue(assignee), title: nameOf(assignee) }],
  };
};
