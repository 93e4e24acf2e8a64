import type { IncomingMessage } from "node:http";
import { growingBytes } from "./growing-bytes.ts";
import { type Holding, openRoom } from "./room.ts";

const MIB = 1024 * 1024;
/** What the bodies of all requests in flight may hold, bytes. */
export const MAX_IN_FLIGHT_BYTES = 256 * MIB;
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

/** Reads bodies, so many bytes of all of them at once. */
export interface IncomingBodies {
  /**
   * Reads a body of at most `most` bytes and hands it to `use`, whose end frees its room. `refuse` may answer a long one by its
   * beginning, and never throws.
   */
  read<R>(
    incoming: IncomingMessage,
    most: number,
    refuse: (beginning: Uint8Array) => Promise<R | undefined>,
    use: (body: IncomingBody<R>) => Promise<void>,
  ): Promise<void>;
}

export const openIncomingBodies = (maxBytes = MAX_IN_FLIGHT_BYTES): IncomingBodies => {
  const room = openRoom(maxBytes, BEGINNING_BYTES);
  return {
    async read<R>(
      incoming: IncomingMessage,
      most: number,
      refuse: (beginning: Uint8Array) => Promise<R | undefined>,
      use: (body: IncomingBody<R>) => Promise<void>,
    ) {
      if (most === 0) return use({ kind: "read", body: new Uint8Array(), whole: !hasBody(incoming) });
      const { promise, resolve } = Promise.withResolvers<IncomingBody<R>>();
      const holding = room.enter(incoming.socket.remoteAddress ?? "", () => resolve({ kind: "no room" }));
      const stop = gather(incoming, most, { holding, refuse, resolve });
      const body = await promise;
      stop();
      if (body.kind === "read") holding.keep();
      else holding.leave();
      try {
        await use(body);
      } finally {
        holding.leave();
      }
    },
  };
};

interface Gathering<R> {
  readonly holding: Holding;
  refuse(beginning: Uint8Array): Promise<R | undefined>;
  resolve(body: IncomingBody<R>): void;
}

/**
 * Reads a body into one piece, which grows with what has come and not with what was said will come. Returns what ends that and lets go of
 * the piece: whoever is answered before the end may go on sending for seconds, of which nothing is kept.
 */
const gather = <R>(incoming: IncomingMessage, most: number, { holding, refuse, resolve }: Gathering<R>): (() => void) => {
  const said = Number(incoming.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  const gathered = growingBytes(most + 1, BEGINNING_BYTES);
  let hasBegun = false;
  let isOver = false;

  const hasRoomFor = (needed: number): boolean => {
    if (needed <= gathered.capacity) return true;
    const capacity = Math.min(most + 1, Math.max(needed, Math.min(said, 2 * gathered.capacity)));
    if (!holding.grow(capacity)) return false;
    gathered.grow(capacity);
    return true;
  };
  const add = (chunk: Buffer): void => {
    const some = chunk.subarray(0, most + 1 - gathered.length);
    if (some.byteLength === 0) return;
    if (!hasRoomFor(gathered.length + some.byteLength)) {
      resolve({ kind: "no room" });
      return;
    }
    gathered.add(some);
    if (gathered.length > most) resolve({ kind: "read", body: gathered.take(), whole: false });
    else if (!hasBegun && gathered.length >= BEGINNING_BYTES) void begin();
  };
  const begin = async (): Promise<void> => {
    hasBegun = true;
    incoming.pause();
    const reply = await refuse(gathered.copy());
    if (reply !== undefined) resolve({ kind: "refused", reply });
    else if (!isOver) incoming.resume();
  };
  const end = (): void => resolve({ kind: "read", body: gathered.take(), whole: true });
  const leave = (): void => resolve({ kind: "gone" });
  incoming.on("data", add).once("end", end).once("close", leave);
  return () => {
    isOver = true;
    gathered.drop();
    incoming.off("data", add).off("end", end).off("close", leave);
    if (!incoming.readableEnded) incoming.pause();
  };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
