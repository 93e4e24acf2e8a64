import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text for one place: it opens there, with the same key, and nowhere else. In base64: nonce, cipher text and tag. */
export const sealText = (text: string, key: Uint8Array, place: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]).toString("base64");
};

/** The text that was sealed; throws where it was changed, or sealed with another key or for another place. */
export const unsealText = (sealed: string, key: Uint8Array, place: string): string => {
  const bytes = Buffer.from(sealed, "base64");
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw new Error("the sealed text is too short to be one");
  const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(-TAG_BYTES)];
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place)).setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString("utf8");
};
