import { useSession } from "../../calls/session.ts";
import type { ViewProps } from "../view.ts";

/** Whose money a project's is, and whether this key may change what it pays for. */
export const useOrganization = ({ organization_id }: ViewProps["project"]) => {
  const { who, may } = useSession();
  const found = who?.organizations.find(({ id }) => id === organization_id);
  return {
    name: found?.name ?? "its organization",
    mayChange: may("billing:write") && (found?.level === "owner" || found?.level === "admin"),
  };
};
