import { storable } from "../parsing/fields.ts";

/** Characters that are kept of what is no frame. */
const MOST_CHARACTERS = 1_000;

/** What was sent in a frame's place, as bounded text of JSON. */
export const unreadText = (sent: unknown): string => storable((JSON.stringify(sent) ?? "").slice(0, MOST_CHARACTERS));
