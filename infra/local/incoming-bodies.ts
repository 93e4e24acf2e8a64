import { type Flow, type HeldMessage, openTurns } from "./body-turns.ts";
import { type ByteBudget, openByteBudget, type Reservation } from "./byte-budget.ts";
import { growingBytes } from "./growing-bytes.ts";

const MIB = 1024 * 1024;
/** What the bodies of all requests in flight may hold, bytes. */
export const MAX_IN_FLIGHT_BYTES = 256 * MIB;
/** Of that, those whose senders nobody knows yet, or before the whole body is read: small ones, too. */
const UNKNOWN_SHARE = 1 / 4;
/** After so much of a body it is asked whether the rest is worth reading; one that is no larger is of ordinary size. */
const BEGINNING_BYTES = 64 * 1024;

/** What became of a body. */
export type IncomingBody<R> =
  /** Of one that is longer than it may be, one byte more than that. */
  | { readonly kind: "read"; readonly body: Uint8Array; readonly whole: boolean }
  /** Answered by its beginning. */
  | { readonly kind: "refused"; readonly reply: R }
  | { readonly kind: "no room" }
  /** Its sender went away, or was too slow and has been told so. */
  | { readonly kind: "gone" };

/** What is done with a body. `dropRest` reads what is left of it and drops it, until that is over or its sender gone. */
type Use<R> = (body: IncomingBody<R>, dropRest: () => Promise<void>) => Promise<void>;

/** What the beginning of a long body tells of its sender: an answer where it is nobody. Never throws. */
type Judge<R> = (beginning: Uint8Array) => Promise<R | "known" | "unknown">;

/** Reads bodies, so many bytes of all of them at once. */
export interface IncomingBodies {
  /**
   * Reads a body of at most `most` bytes and hands it to `use`, whose end releases its bytes. Only a long one whose beginning names
   * its sender has part of the larger budget.
   */
  read<R extends object>(incoming: HeldMessage, most: number, judge: Judge<R>, use: Use<R>): Promise<void>;
}

export const openIncomingBodies = (maxBytes = MAX_IN_FLIGHT_BYTES): IncomingBodies => {
  const known = openByteBudget(maxBytes * (1 - UNKNOWN_SHARE), BEGINNING_BYTES);
  const unknown = openByteBudget(maxBytes * UNKNOWN_SHARE, BEGINNING_BYTES);
  const takeTurns = openTurns();
  // Of those whose senders are not known, and what is read only to be dropped.
  const takeTurnsAside = openTurns();
  return {
    async read<R extends object>(incoming: HeldMessage, most: number, judge: Judge<R>, use: Use<R>) {
      let flow = takeTurns(incoming);
      const flowAside = (): void => {
        flow.hold();
        flow = takeTurnsAside(incoming);
      };
      const dropRest = async (): Promise<void> => {
        const { promise, resolve } = Promise.withResolvers<void>();
        incoming.once("end", resolve).once("close", resolve);
        flowAside();
        flow.go();
        await promise;
      };
      if (most === 0) return use({ kind: "read", body: new Uint8Array(), whole: !hasBody(incoming) }, dropRest);
      const { promise, resolve } = Promise.withResolvers<IncomingBody<R>>();
      const reserve = (budget: ByteBudget): Reservation =>
        budget.reserve(incoming.socket.remoteAddress ?? "", () => resolve({ kind: "no room" }));
      let reservation = reserve(unknown);
      const grow = (bytes: number): boolean => reservation.grow(bytes);
      const admit = (): void => {
        reservation.release();
        reservation = reserve(known);
      };
      const going: Flow = { hold: () => flow.hold(), go: () => flow.go() };
      const stop = gather(incoming, most, { flow: going, grow, admit, moveAside: flowAside, judge, resolve });
      const body = await promise;
      stop();
      if (body.kind === "read") reservation.pin();
      else reservation.release();
      try {
        await use(body, dropRest);
      } finally {
        reservation.release();
      }
    },
  };
};

interface Gathering<R> {
  readonly flow: Flow;
  /** Whether the budget has so many bytes. */
  grow(bytes: number): boolean;
  /** Takes its bytes from the budget of known senders. */
  admit(): void;
  /** Reads on in the turns of unknown senders. */
  moveAside(): void;
  readonly judge: Judge<R>;
  resolve(body: IncomingBody<R>): void;
}

/**
 * Reads a body into one piece, which grows with what has come and not with what was said will come. Returns what ends that and lets go of
 * the piece: whoever is answered before the end may go on sending for seconds, of which nothing is kept.
 */
const gather = <R extends object>(
  incoming: HeldMessage,
  most: number,
  { flow, grow, admit, moveAside, judge, resolve }: Gathering<R>,
): (() => void) => {
  const said = Number(incoming.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  const gathered = growingBytes(most + 1, BEGINNING_BYTES);
  let hasBegun = false;
  let isOver = false;

  const hasRoomFor = (needed: number): boolean => {
    if (needed <= gathered.capacity) return true;
    const capacity = Math.min(most + 1, Math.max(needed, Math.min(said, 2 * gathered.capacity)));
    if (!grow(capacity)) return false;
    gathered.grow(capacity);
    return true;
  };
  const refuse = (): void => resolve({ kind: "no room" });
  const add = (chunk: Buffer): void => {
    const some = chunk.subarray(0, most + 1 - gathered.length);
    if (some.byteLength === 0) return;
    if (!hasRoomFor(gathered.length + some.byteLength)) {
      refuse();
      return;
    }
    gathered.add(some);
    if (gathered.length > most) resolve({ kind: "read", body: gathered.take(), whole: false });
    else if (!hasBegun && gathered.length >= BEGINNING_BYTES) void begin();
  };
  const begin = async (): Promise<void> => {
    hasBegun = true;
    flow.hold();
    const verdict = await judge(gathered.copy());
    if (isOver) return;
    if (verdict === "known") admit();
    else moveAside();
    if (typeof verdict === "object") resolve({ kind: "refused", reply: verdict });
    else if (grow(gathered.capacity)) flow.go();
    else refuse();
  };
  const end = (): void => resolve({ kind: "read", body: gathered.take(), whole: true });
  const leave = (): void => resolve({ kind: "gone" });
  incoming.on("data", add).once("end", end).once("close", leave);
  flow.go();
  return () => {
    isOver = true;
    gathered.drop();
    incoming.off("data", add).off("end", end).off("close", leave);
    if (!incoming.readableEnded) flow.hold();
  };
};

const hasBody = ({ headers }: HeldMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
