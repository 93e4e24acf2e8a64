import { createHash } from "node:crypto";
import { type Copy, copiesOf, type Request } from "../model/copies.ts";
import { written } from "../model/json.ts";
import type { Composed, Traffic } from "./traffic.ts";

const US_PER_MS = 1_000n;

/** Which events a query is about, by parts of their identity alone. */
export interface Filter {
  readonly name: string;
  readonly where: string;
  matches(copy: Copy): boolean;
}

/** When something was sent, and when its answer came or did not: somewhere in between it was received. Milliseconds. */
interface Attempt {
  readonly from: number;
  readonly to: number;
}

/** What was sent so far, and what of it has to be seen. */
export interface Record {
  /** The bytes of a request; its `sent_at` is that of the first sending. */
  bytesOf(request: Composed): string;
  /** A request goes out: from now on its events may be seen. */
  sending(request: Composed): void;
  attempted(number: number, attempt: Attempt): void;
  /** Events that may be seen of each filter. */
  countOf(filter: Filter): number;
  /** The copies of a request as received at a time; throws where it cannot have been received then. */
  copiesOf(number: number, receivedMicros: bigint): readonly Copy[];
  /** What any delivery of a request would be: whichever time it was received at. */
  anyCopies(number: number): readonly (readonly Copy[])[];
}

export const recordOf = (traffic: Traffic, project: number, filters: readonly Filter[]): Record => {
  const sentAt = new Map<number, number>();
  const attempts = new Map<number, Attempt[]>();
  const known = new Set<string>();
  const counts = new Map(filters.map((filter) => [filter, 0]));

  const bodyOf = (request: Composed): { readonly [name: string]: unknown } => {
    const first = sentAt.get(request.number) ?? Date.now();
    sentAt.set(request.number, first);
    const { historical, batch, sentBeforeMs } = request;
    return {
      api_key: KEY,
      historical_migration: historical,
      batch,
      ...(sentBeforeMs === null ? {} : { sent_at: new Date(first - sentBeforeMs).toISOString() }),
    };
  };
  const requestOf = (composed: Composed, received: bigint): Request => ({
    project,
    path: composed.path,
    id: String(composed.number),
    received,
    body: bodyOf(composed),
  });

  return {
    bytesOf: (request) => written(bodyOf(request)),
    sending(request) {
      // Of recordings queries show nothing.
      if (request.path === "/s/") return;
      for (const copy of copiesOf(requestOf(request, BigInt(Date.now()) * US_PER_MS))) {
        const name = digest(copy.identity);
        if (known.has(name)) continue;
        known.add(name);
        for (const filter of filters) if (filter.matches(copy)) counts.set(filter, (counts.get(filter) ?? 0) + 1);
      }
    },
    attempted(number, attempt) {
      attempts.set(number, [...(attempts.get(number) ?? []), attempt]);
    },
    countOf: (filter) => counts.get(filter) ?? 0,
    copiesOf(number, received) {
      const ms = Number(received / US_PER_MS);
      if (!attempts.get(number)?.some(({ from, to }) => ms >= from && ms <= to))
        throw new Error(`request ${number} is said to be received at ${new Date(ms).toISOString()}, when it was not sent`);
      return copiesOf(requestOf(traffic.of(number), received));
    },
    anyCopies: (number) =>
      (attempts.get(number) ?? []).map(({ from }) => copiesOf(requestOf(traffic.of(number), BigInt(from) * US_PER_MS))),
  };
};

/** Stands for the project's token in a body; what is sent has the token. */
export const KEY = "<token>";

/** Identities of imported events hold all their properties. */
export const digest = (identity: string): string => createHash("md5").update(identity).digest("base64");
