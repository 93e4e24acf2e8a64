import { randomBytes } from "node:crypto";
import type { Clock, Dns, Ids, Log } from "../ports/system.ts";

export const systemClock: Clock = { now: () => Date.now() };

/** How long somebody waits for an answer about a name, and how often it is asked. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/** The names of the machine's own resolver. */
export const systemDns: Dns = {
  async texts(name) {
    const { Resolver } = await import("node:dns/promises");
    const found = await new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES }).resolveTxt(name).catch(() => []);
    return found.map((pieces) => pieces.join(""));
  },
};

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const ULID_TIME_CHARACTERS = 10;
const ULID_RANDOM_BITS = 80n;

const base32 = (value: bigint, characters: number): string => {
  let text = "";
  for (let rest = value, place = 0; place < characters; place += 1, rest >>= 5n) text = (CROCKFORD[Number(rest & 31n)] ?? "0") + text;
  return text;
};

const randomBits = (bits: bigint): bigint => BigInt(`0x${randomBytes(Number(bits / 8n)).toString("hex")}`);

/** Ids from the clock and the system's randomness. ULIDs of one `systemIds` ascend, also within a millisecond and when the clock steps back. */
export const systemIds = (clock: Clock): Ids => {
  let lastTime = 0;
  let lastRandom = 0n;
  return {
    uuid() {
      const bytes = randomBytes(16);
      bytes.writeUIntBE(clock.now(), 0, 6);
      bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
      bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
    },
    ulid() {
      const now = clock.now();
      // The top bit stays free, so that counting up within one millisecond cannot overflow.
      lastRandom = now > lastTime ? randomBits(ULID_RANDOM_BITS) >> 1n : lastRandom + 1n;
      lastTime = Math.max(now, lastTime);
      return base32(BigInt(lastTime), ULID_TIME_CHARACTERS) + base32(lastRandom, 16);
    },
    secret: (bytes) => new Uint8Array(randomBytes(bytes)),
  };
};

/**
 * One JSON line per call, through `write`: what the platform's log store and a person's terminal both read. Without `timestamp` the
 * store would take every line for one of level INFO.
 */
export const jsonLog = (clock: Clock, write: (line: string) => void): Log => ({
  line(level, event, fields) {
    write(`${JSON.stringify({ timestamp: new Date(clock.now()).toISOString(), level, event, ...fields })}\n`);
  },
});
