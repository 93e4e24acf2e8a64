import { type Fields, isFields } from "../../../lib/event/fields.ts";

/** A release's metadata with what may be secret taken out of `git.remote_url`: builds often clone by an address that holds a token. */
export const withoutSecrets = (metadata: Fields): Fields => {
  const { git } = metadata;
  if (!isFields(git) || typeof git.remote_url !== "string") return metadata;
  return { ...metadata, git: { ...git, remote_url: plainUrl(git.remote_url) } };
};

/** The address without user, password, query and fragment, and blanks around it. `git@host:path` names no secret and stays. */
export const plainUrl = (url: string): string => {
  const bare = url.replace(/[?#].*$/s, "").trim();
  return bare.replace(/^((?:[a-z][a-z0-9+.-]*:)?\/\/)[^/]*@/i, "$1").replace(/^[^/@:]*:[^/@]*@/, "");
};
