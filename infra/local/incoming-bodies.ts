import type { IncomingMessage } from "node:http";

const MIB = 1024 * 1024;
/** What the bodies of all requests in flight may hold, bytes: those of ordinary size always find room. */
export const MAX_IN_FLIGHT_BYTES = 256 * MIB;
/** After so much of a body it is asked whether the rest is worth reading, and whether there is room for it. */
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
   * Reads a body of at most `most` bytes and hands it to `use`, whose end frees its room. `refuse` may answer a long one by its beginning.
   */
  read<R>(
    incoming: IncomingMessage,
    most: number,
    refuse: (beginning: Uint8Array) => Promise<R | undefined>,
    use: (body: IncomingBody<R>) => Promise<void>,
  ): Promise<void>;
}

export const openIncomingBodies = (maxBytes = MAX_IN_FLIGHT_BYTES): IncomingBodies => {
  let held = 0;
  return {
    async read(incoming, most, refuse, use) {
      let own = 0;
      const take = (bytes: number): boolean => {
        own += bytes;
        held += bytes;
        if (held <= maxBytes) return true;
        // What has come of it is dropped, so that the others find room at once.
        held -= own;
        own = 0;
        return false;
      };
      try {
        await use(await readBody(incoming, most, refuse, take).catch(() => ({ kind: "gone" }) as const));
      } finally {
        held -= own;
      }
    },
  };
};

const readBody = async <R>(
  incoming: IncomingMessage,
  most: number,
  refuse: (beginning: Uint8Array) => Promise<R | undefined>,
  take: (bytes: number) => boolean,
): Promise<IncomingBody<R>> => {
  if (most === 0) return { kind: "read", body: new Uint8Array(), whole: !hasBody(incoming) };
  const chunks: Buffer[] = [];
  let bytes = 0;
  let hasBegun = false;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    const some: Buffer = chunk;
    chunks.push(some);
    bytes += some.byteLength;
    if (bytes > BEGINNING_BYTES && !take(hasBegun ? some.byteLength : bytes)) return { kind: "no room" };
    if (bytes > most) return { kind: "read", body: Buffer.concat(chunks).subarray(0, most + 1), whole: false };
    if (hasBegun || bytes < BEGINNING_BYTES) continue;
    hasBegun = true;
    const reply = await refuse(Buffer.concat(chunks, bytes));
    if (reply !== undefined) return { kind: "refused", reply };
  }
  const [only = Buffer.alloc(0)] = chunks;
  return { kind: "read", body: chunks.length > 1 ? Buffer.concat(chunks, bytes) : only, whole: true };
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
