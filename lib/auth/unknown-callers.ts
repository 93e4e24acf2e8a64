import { perOwner } from "../core/cache.ts";
import { SECOND_MS } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import { openDebts } from "./rates/debts.ts";
import { visitorAddress } from "./rates/visitor-address.ts";

/**
 * Bytes of requests without a valid key that one address may have looked at, by one process: at once, and more with each second. What is
 * done for an unknown caller costs a bounded time for each byte (`npm run bench -- keyless`), so this bounds the processor's time, too.
 */
const MOST_BYTES = 64 * 1024 * 1024;
const BYTES_A_SECOND = 1024 * 1024;
/** A request without a body costs something, too. */
const LEAST_BYTES = 4 * 1024;
/** Whoever comes from everywhere must not fill the memory. */
const MOST_ADDRESSES = 10_000;

/** By address: what was looked at for it, as the time in which that is forgiven. */
const looks = perOwner((_: Ports["clock"]) => openDebts(MOST_ADDRESSES));

/** Milliseconds until more is looked at for unknown callers from this address; 0 where it is now. */
export const unknownCallerWaitMs = ({ clock, config }: Pick<Ports, "clock" | "config">, ip: string): number => {
  const owedMs = looks(clock).owedMs(visitorAddress(ip), clock.now());
  return Math.max(0, owedMs - config.throttleScale * (MOST_BYTES / BYTES_A_SECOND) * SECOND_MS);
};

/** Notes that so many bytes were looked at for a request from this address, and that no valid key was found in it. */
export const noteUnknownCaller = ({ clock }: Pick<Ports, "clock">, ip: string, bytes: number): void => {
  const costMs = (Math.max(LEAST_BYTES, bytes) / BYTES_A_SECOND) * SECOND_MS;
  looks(clock).add(visitorAddress(ip), clock.now(), costMs);
};
