import { Defect } from "../core/unreachable.ts";
import type { Clock, Ids } from "./system.ts";

/** A key of AES-256, and the name that what it encrypted calls it by. A name stands for one key for good. */
export interface TokenKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** The keys that tokens of integrations are encrypted with. */
export interface TokenKeys {
  /** The key of this name, whether it is the newest or not; undefined where there is none. */
  find(id: string): Promise<TokenKey | undefined>;
  /** The key to encrypt with; undefined where none was made yet. */
  newest(): Promise<TokenKey | undefined>;
  /** The same, made now where there is none. Only an operator's command may do that. */
  make(): Promise<TokenKey>;
}

/** Where the keys lie, as lines of `id:key` with the newest first. */
export interface TokenKeyPlace {
  /** Undefined where nothing was put there yet. */
  read(): Promise<string | undefined>;
  /** Puts the first text there; false where there is one, which stays. */
  create(text: string): Promise<boolean>;
}

/** Names that nobody knows make nobody ask for the keys more often than this. */
const AGAIN_MS = 10_000;

/** The keys of a place. One that was found is kept as long as the process lives; for another the place is asked anew. */
export const tokenKeysAt = (place: TokenKeyPlace, clock: Clock, ids: Ids): TokenKeys => {
  let known: readonly TokenKey[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<readonly TokenKey[]> => {
    const text = await place.read();
    known = text === undefined ? [] : readKeys(text);
    readAt = clock.now();
    return known;
  };
  const named = (id: string): TokenKey | undefined => known.find((key) => key.id === id);
  return {
    async find(id) {
      if (named(id) === undefined && clock.now() - readAt >= AGAIN_MS) await read();
      return named(id);
    },
    newest: async () => (await read())[0],
    async make() {
      const [newest] = await read();
      if (newest !== undefined) return newest;
      const first = newTokenKey(ids);
      if (await place.create(keyLine(first))) {
        known = [first];
        return first;
      }
      // Somebody else has just made it.
      const [other] = await read();
      if (other === undefined) throw new Defect("the keys of tokens are there, and hold none");
      return other;
    },
  };
};

const KEY_BYTES = 32;

export const newTokenKey = (ids: Ids): TokenKey => ({ id: ids.ulid(), bytes: ids.secret(KEY_BYTES) });

const keyLine = ({ id, bytes }: TokenKey): string => `${id}:${Buffer.from(bytes).toString("base64")}\n`;

/** What lies in the place of the keys is no list of keys. Says where, and not what is there. */
export class MalformedKeys extends Error {
  override readonly name = "MalformedKeys";
}

const LINE = /^([\w.-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

/** Throws `MalformedKeys` for a line that is none. */
const readKeys = (text: string): readonly TokenKey[] =>
  text.split("\n").flatMap((line, at) => {
    if (line.trim() === "") return [];
    const [, id, key] = LINE.exec(line.trim()) ?? [];
    if (id === undefined || key === undefined)
      throw new MalformedKeys(
        `line ${at + 1} of the keys of tokens is not a name, a colon and ${KEY_BYTES} bytes in base64: put it right, or take it out`,
      );
    return [{ id, bytes: Buffer.from(key, "base64") }];
  });
