const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/** The bytes that a field of a form stands for, which may be of any kind. An escape that is none stays as it is; never longer. */
export const percentDecoded = (bytes: Uint8Array): Buffer => {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    if (low !== -1) at += 2;
    out[length++] = low === -1 ? (byte === PLUS ? SPACE : byte) : high * 16 + low;
  }
  return out.subarray(0, length);
};

const hexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
};
