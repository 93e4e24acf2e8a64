import type { Copy } from "./copies.ts";

/** The uuid of an event. One that the platform made is whatever it was seen to be. */
export type UuidOf = (copy: Copy) => string;

/** Events in the order in which they happened: by time, place in their request, uuid; never by arrival. */
export const inOrder = (copies: readonly Copy[], uuidOf: UuidOf): readonly Copy[] =>
  copies.toSorted((a, b) => {
    if (a.time !== b.time) return a.time < b.time ? -1 : 1;
    if (a.index !== b.index) return a.index - b.index;
    return uuidOf(a) < uuidOf(b) ? -1 : 1;
  });
