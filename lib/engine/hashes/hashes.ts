import { createHash } from "node:crypto";
import { cityHash64 } from "./city.ts";
import { farmHash64 } from "./farm.ts";
import { sipHash64 } from "./sip.ts";
import { pair } from "./words.ts";
import { xxHash64 } from "./xx.ts";

/** A hash of one text's bytes, and of the hashes of two. */
export interface Hash {
  readonly of: (bytes: DataView) => bigint;
  readonly joined: (first: bigint, second: bigint) => bigint;
}

/** The hashes of ClickHouse that DuckDB does not have, by the names that queries give them. */
export const HASHES: Readonly<Record<"cityHash64" | "farmHash64" | "halfMD5" | "sipHash64" | "xxHash64", Hash>> = {
  cityHash64: { of: cityHash64, joined: pair },
  farmHash64: { of: farmHash64, joined: pair },
  xxHash64: { of: xxHash64, joined: pair },
  sipHash64: { of: sipHash64, joined: (first, second) => sipHash64(inOne(first, second)) },
  halfMD5: { of: (bytes) => halfMd5(bytes), joined: (first, second) => halfMd5(inOne(first, second)) },
};

const inOne = (first: bigint, second: bigint): DataView => {
  const bytes = new DataView(new ArrayBuffer(16));
  bytes.setBigUint64(0, first, true);
  bytes.setBigUint64(8, second, true);
  return bytes;
};

const halfMd5 = (bytes: DataView): bigint => createHash("md5").update(bytes).digest().readBigUInt64BE(0);

/** Longest text that the reused room holds; longer ones get room of their own. */
const ROOM_BYTES = 4_096;

/** Hashes rows of texts: NULL where one of the texts is. */
export const rowHash = ({ of, joined }: Hash): ((texts: readonly (string | null)[]) => bigint | null) => {
  const encoder = new TextEncoder();
  const room = new Uint8Array(ROOM_BYTES);
  const ofText = (text: string): bigint => {
    if (text.length * MAX_BYTES_A_UNIT > ROOM_BYTES) return of(new DataView(encoder.encode(text).buffer));
    return of(new DataView(room.buffer, 0, encoder.encodeInto(text, room).written));
  };
  return (texts) => {
    let hash: bigint | null = null;
    for (const text of texts) {
      if (text === null) return null;
      hash = hash === null ? ofText(text) : joined(hash, ofText(text));
    }
    return hash;
  };
};

/** Of UTF-8, for each unit of UTF-16. */
const MAX_BYTES_A_UNIT = 3;
