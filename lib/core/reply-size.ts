/** Largest reply of a deployed function, bytes: Lambda's limit on the JSON that the gateway takes, in which the body is one string. */
export const MAX_REPLY_BYTES = 6_291_556;

/** Bytes of that JSON besides the body: its status and headers, and a little more. */
export const REPLY_OVERHEAD_BYTES = 8_192;

/** Bytes of a text within a JSON string, where quotation marks and backslashes count twice. */
export const jsonTextBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;
