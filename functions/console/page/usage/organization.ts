import { useSession } from "../../calls/session.ts";
import type { ViewProps } from "../view.ts";

/** Whose money a project's is, whether this key is led to where it is paid, and whether it may change what is paid for. */
export const useOrganization = ({ organization_id }: ViewProps["project"]) => {
  const { who, may } = useSession();
  const found = who?.organizations.find(({ id }) => id === organization_id);
  const isPayer = found?.level === "owner" || found?.level === "admin";
  return {
    name: found?.name ?? "its organization",
    mayPay: may("billing:read") && isPayer,
    mayChange: may("billing:write") && isPayer,
  };
};
