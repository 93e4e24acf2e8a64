import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { GetObjectCommand, PutObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import * as z from "zod";
import { SECOND_MS } from "../../../lib/core/time.ts";
import { isRunning } from "../../local/running-process.ts";
import { UserError } from "../../local/user-error.ts";
import { type BackupBucket, PLACE_HOLD, unlessMissing } from "./backup-bucket.ts";
import type { Progress } from "./progress.ts";

/** The place of backups in a bucket, for as long as one is written to it. */
export interface PlaceHold {
  /** Throws a `UserError` where somebody else has taken the place, who thought that this program had ended. */
  check(): Promise<void>;
  leave(): Promise<void>;
}

/** How often a program says that it still holds a place; one that said nothing for so long holds it no more. Milliseconds. */
export interface HoldTimes {
  readonly renewMs: number;
  readonly silentMs: number;
}

const TIMES: HoldTimes = { renewMs: 20 * SECOND_MS, silentMs: 60 * SECOND_MS };

const Holder = z.object({ id: z.uuid(), host: z.string(), pid: z.int(), turn: z.int() });
type Holder = z.output<typeof Holder>;

const OWN = { host: hostname(), pid: process.pid };

/** What lies at the place, with the mark by which the store tells it from what lies there later. */
interface Held {
  readonly holder: Holder;
  readonly etag: string;
}

/**
 * Takes the place, where nobody else writes to it: two backups would each forget what the other one copied. No clocks are compared: who
 * finds it taken waits whether its holder says anything. Throws a `UserError`.
 */
export const holdPlace = async (place: BackupBucket, progress: Progress, { renewMs, silentMs } = TIMES): Promise<PlaceHold> => {
  let turn = 0;
  /** Never the same twice: the store's mark of it changes with each. */
  const next = (): Holder => {
    turn += 1;
    return { ...OWN, id, turn };
  };
  const id = randomUUID();
  let etag = await take(place, next(), silentMs, progress);
  let isLost = false;
  const renew = async (): Promise<void> => {
    const renewed = await putHold(place, next(), { IfMatch: etag });
    if (renewed === undefined) isLost = true;
    else etag = renewed;
  };
  let renewing = Promise.resolve();
  const renewInTurn = (): Promise<void> => {
    renewing = renewing.then(renew);
    return renewing;
  };
  // What the store does not answer is asked again with the next one, and by `check` in the end.
  const timer = setInterval(() => renewInTurn().catch(() => (renewing = Promise.resolve())), renewMs).unref();
  return {
    async check() {
      if (!isLost) await renewInTurn();
      if (isLost) throw taken(place);
    },
    async leave() {
      clearInterval(timer);
      await renewing.catch(() => undefined);
      if (!isLost) await place.remove([PLACE_HOLD]);
    },
  };
};

/** The mark of the hold that was taken. */
const take = async (place: BackupBucket, holder: Holder, silentMs: number, progress: Progress): Promise<string> => {
  const first = await putHold(place, holder, { IfNoneMatch: "*" });
  if (first !== undefined) return first;
  const found = await readHold(place);
  if (found !== undefined && !isGone(found.holder)) {
    progress.line(`Another backup is written to ${place.address}, or was ended in the middle: a minute tells which.`);
    await pause(silentMs);
  }
  const now = found && (await readHold(place));
  if (found?.etag !== now?.etag) throw taken(place);
  const second = await putHold(place, holder, found === undefined ? { IfNoneMatch: "*" } : { IfMatch: found.etag });
  if (second === undefined) throw taken(place);
  return second;
};

const taken = ({ address }: BackupBucket): UserError =>
  new UserError(`Another backup is written to ${address} just now: wait until it has ended.`);

/** Whether a program of this machine held it that runs no more. */
const isGone = ({ host, pid }: Holder): boolean => host === hostname() && !isRunning(pid);

const readHold = ({ client, bucket, keyOf }: BackupBucket): Promise<Held | undefined> =>
  unlessMissing(async () => {
    const { Body, ETag = "" } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(PLACE_HOLD) }));
    return { holder: Holder.parse(JSON.parse((await Body?.transformToString()) ?? "null")), etag: ETag };
  });

/**
 * The mark of what was written; undefined where the condition does not hold. One whose answer is lost is sent again, and finds itself
 * there: it was written.
 */
const putHold = async (
  place: BackupBucket,
  holder: Holder,
  when: { readonly IfMatch: string } | { readonly IfNoneMatch: "*" },
): Promise<string | undefined> => {
  const { client, bucket, keyOf } = place;
  try {
    const put = { Bucket: bucket, Key: keyOf(PLACE_HOLD), Body: JSON.stringify(holder), ...when };
    return (await client.send(new PutObjectCommand(put))).ETag ?? "";
  } catch (thrown) {
    if (!(thrown instanceof S3ServiceException && CONDITION_FAILED.has(thrown.$metadata.httpStatusCode ?? 0))) throw thrown;
    const there = await readHold(place);
    return there?.holder.id === holder.id && there.holder.turn === holder.turn ? there.etag : undefined;
  }
};

/** That it is not so, that somebody else writes just now, and that what was to be replaced is gone. */
const CONDITION_FAILED: ReadonlySet<number> = new Set([412, 409, 404]);
