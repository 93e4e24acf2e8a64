/** Where all of billing lies. */
export const BASE = "/api/billing";

export const TAGS = ["billing"];

/** The project whose organization's billing is meant; without it the key's own organization. Read by the operation's access. */
export const TEAM_ID = "The project whose organization is meant; the key's own organization when left out.";
