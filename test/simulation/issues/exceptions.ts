import type { EventRow } from "../../../lib/event/event.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";
import { AUTOMATIC_KINDS, type SentException } from "./scenario.ts";

const US_PER_MS = 1_000n;

/** The fingerprint that a client gives exceptions of a kind; undefined where it leaves that to the product. */
export const sentFingerprint = (kind: number): string | undefined => (kind < AUTOMATIC_KINDS ? undefined : `kind-${kind}`);

/** The row of an exception as ingest reads it from a message. */
export const rowOf = ({ uuid, kind, at, imported }: SentException, request: string, index: number): EventRow =>
  anEventRow({
    uuid,
    event: "$exception",
    timestamp: BigInt(at) * US_PER_MS,
    created_at: BigInt(at) * US_PER_MS,
    historical: imported,
    request,
    index,
    properties: JSON.stringify({
      $exception_list: [{ type: `Error${String.fromCharCode(65 + kind)}`, value: "it failed" }],
      $exception_fingerprint: sentFingerprint(kind),
    }),
  });
