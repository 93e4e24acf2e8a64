import { createHash } from "node:crypto";
import type { Key } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";

/** The kinds of secret and public values, told apart by how they begin. */
const PREFIXES = { personal: "phx_", secret: "phs_", project: "phc_" } as const;

/** Random bytes in a key or token: 256 bits. */
const SECRET_BYTES = 32;
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Characters that 256 bits need in this alphabet. */
const SECRET_CHARACTERS = 43;

/** A new value of a kind: its prefix and 256 random bits in base 62. */
export const newValue = (kind: keyof typeof PREFIXES, ids: { secret(bytes: number): Uint8Array }): string =>
  PREFIXES[kind] + base62(ids.secret(SECRET_BYTES));

/** 256 random bits as 43 letters and digits, for identifiers without a prefix. */
export const base62 = (bytes: Uint8Array): string => {
  let left = BigInt(`0x${Buffer.from(bytes).toString("hex") || "0"}`);
  let text = "";
  for (; left > 0n; left /= 62n) text = ALPHABET.charAt(Number(left % 62n)) + text;
  return text.padStart(SECRET_CHARACTERS, "0");
};

/** The stored form of a value: `sha256$` and the digest in hexadecimal. */
export const keyHash = (value: string): string => `sha256$${createHash("sha256").update(value).digest("hex")}`;

/** The part of a value that may be shown: its first and last four characters. */
export const keyMask = (value: string): string => `${value.slice(0, 4)}...${value.slice(-4)}`;

/** A new secret of a kind, which is shown once, with what is kept of it and what may be shown later. */
export const newSecret = (kind: "personal" | "secret", ids: { secret(bytes: number): Uint8Array }) => {
  const value = newValue(kind, ids);
  return { value, hash: keyHash(value), mask_value: keyMask(value) };
};

/** Where the key with this value lies, whatever its kind: one read finds it, and the item's `entity` names the kind. */
export const keyItem = (value: string): Key => keyIn("keys", "key", { hash: keyHash(value) });

/** Where the project of this token is named. */
export const tokenItem = (token: string): Key => keyIn("tokens", "token", { hash: keyHash(token) });
