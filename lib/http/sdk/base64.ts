/** Only the beginning is looked at: enough to tell base64 from JSON, and free for a large body. */
export const PEEK_BYTES = 128;

const ALPHABET: ReadonlySet<number> = new Set(Buffer.from("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="));
const SPACE = 0x20;
const PLUS = 0x2b;
const PAD = 0x3d;

/**
 * The bytes that a text in base64 stands for, of its first `maxBytes` where only these are wanted; the same bytes when it does not look like
 * base64 or is none. Never grows.
 */
export const unwrapBase64 = (bytes: Buffer, maxBytes = bytes.length): Buffer => {
  if (bytes.length === 0 || bytes.length % 4 !== 0 || !startsWithBase64(bytes)) return bytes;
  const wanted = bytes.subarray(0, 4 * Math.ceil(maxBytes / 4));
  const decoded = Buffer.from(wanted.toString("latin1"), "base64");
  // Node's decoder skips what it cannot read, so broken text shows as a length that is too short.
  return decoded.length === decodedLength(wanted) ? decoded : bytes;
};

/** Base64 that went through a form or a query: its plus signs came out as spaces. */
export const restorePluses = (bytes: Buffer): Buffer => {
  const start = bytes.subarray(0, PEEK_BYTES);
  if (!bytes.includes(SPACE) || !start.every((byte) => byte === SPACE || ALPHABET.has(byte))) return bytes;
  const restored = Buffer.from(bytes);
  for (let at = 0; at < restored.length; at++) if (restored[at] === SPACE) restored[at] = PLUS;
  return restored;
};

const startsWithBase64 = (bytes: Buffer): boolean => bytes.subarray(0, PEEK_BYTES).every((byte) => ALPHABET.has(byte));

const decodedLength = (bytes: Buffer): number => {
  const padding = bytes[bytes.length - 1] !== PAD ? 0 : bytes[bytes.length - 2] === PAD ? 2 : 1;
  return (bytes.length / 4) * 3 - padding;
};
