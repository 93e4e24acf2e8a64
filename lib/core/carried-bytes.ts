/** The most that a deployed function may answer: the gateway's reply as JSON, in which the body is a text. */
export const MOST_CARRIED_BYTES = 6_291_556;

/** Room for the reply's status and headers within that, and a little more. */
export const AROUND_BODY_BYTES = 8_192;

/** Bytes of a text within JSON, where quotation marks and backslashes count twice. */
export const carriedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
