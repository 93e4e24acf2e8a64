/** Largest body on the wire. A deployed gateway carries about 4.5 MB of binary, and answers 413 itself above that. */
export const MAX_WIRE_BYTES = 20 * 1024 * 1024;
/** A text that is no longer is read before anybody asks whose it is, and the token is looked for in so much of a longer one. */
export const FREE_BYTES = 128 * 1024;
/** The most that is decoded and looked through for a token that stands behind the events: python's SDK sends 6.2 MB at most. */
export const MAX_UNKNOWN_SENDER_BYTES = 6.25 * 1024 * 1024;
/** The same of forms and of lz64, which take several times as long to decode: only browsers send them, with a token in each event. */
export const MAX_UNKNOWN_BROWSER_BYTES = 1024 * 1024;
