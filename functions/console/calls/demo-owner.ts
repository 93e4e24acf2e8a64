import { ROOT } from "./client.ts";
import { ApiProblem } from "./problems.ts";

// Only the platform on a laptop answers here; it is no part of the API, so its description has no types of it.
const PLACE = `${ROOT}local/sign-in/`;

/** Whose demo this is, where a laptop offers to sign in as them. */
export const demoOwner = async (): Promise<string | undefined> => {
  const response = await fetch(PLACE, { credentials: "omit" }).catch(() => undefined);
  if (!response?.ok) return undefined;
  const { user } = await response.json();
  return typeof user === "string" ? user : undefined;
};

/** The key of the demo's owner. */
export const demoKey = async (): Promise<string> => {
  const response = await fetch(PLACE, { method: "POST", credentials: "omit" });
  const body = await response.json();
  if (!response.ok) throw new ApiProblem(response.status, body);
  return String(body.personal_api_key);
};
