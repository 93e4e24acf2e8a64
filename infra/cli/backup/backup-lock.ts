import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { GetObjectCommand, PutObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import * as z from "zod";
import { SECOND_MS } from "../../../lib/core/time.ts";
import { isRunning } from "../../local/running-process.ts";
import { UserError } from "../../local/user-error.ts";
import { type BackupBucket, LOCK_FILE, unlessMissing } from "./backup-bucket.ts";
import type { Progress } from "./progress.ts";

/** Held on a place of backups in a bucket while one is written to it. */
export interface BackupLock {
  /** Throws a `UserError` where another program has taken the lock over, because it thought that this one had ended. */
  check(): Promise<void>;
  release(): Promise<void>;
}

/** How often a holder renews its lock, and after how long without that it has lost it, milliseconds. */
export interface LockTimes {
  readonly renewMs: number;
  readonly expiresMs: number;
}

const TIMES: LockTimes = { renewMs: 20 * SECOND_MS, expiresMs: 60 * SECOND_MS };

const Holder = z.object({ id: z.uuid(), host: z.string(), pid: z.int(), turn: z.int() });
type Holder = z.output<typeof Holder>;

const OWN = { host: hostname(), pid: process.pid };

/** The lock file as the store has it; its ETag changes with every write. */
interface StoredLock {
  readonly holder: Holder;
  readonly etag: string;
}

/**
 * Locks a place of backups: two at once would each forget what the other one copied. No clocks are compared: who finds it locked waits
 * whether its holder renews the lock. Throws a `UserError` where it does.
 */
export const lockBackups = async (place: BackupBucket, progress: Progress, { renewMs, expiresMs } = TIMES): Promise<BackupLock> => {
  let turn = 0;
  /** Never the same twice, so that the ETag changes with each. */
  const next = (): Holder => {
    turn += 1;
    return { ...OWN, id, turn };
  };
  const id = randomUUID();
  let etag = await take(place, next(), expiresMs, progress);
  let isLost = false;
  const renew = async (): Promise<void> => {
    const renewed = await putLock(place, next(), { IfMatch: etag });
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
    async release() {
      clearInterval(timer);
      await renewing.catch(() => undefined);
      if (!isLost) await place.remove([LOCK_FILE]);
    },
  };
};

/** Gives the ETag of the lock that was taken. */
const take = async (place: BackupBucket, holder: Holder, expiresMs: number, progress: Progress): Promise<string> => {
  const first = await putLock(place, holder, { IfNoneMatch: "*" });
  if (first !== undefined) return first;
  const found = await readLock(place);
  if (found !== undefined && !isGone(found.holder)) {
    progress.line(`Another backup is written to ${place.address}, or was ended in the middle: a minute tells which.`);
    await pause(expiresMs);
  }
  const now = found && (await readLock(place));
  if (found?.etag !== now?.etag) throw taken(place);
  const second = await putLock(place, holder, found === undefined ? { IfNoneMatch: "*" } : { IfMatch: found.etag });
  if (second === undefined) throw taken(place);
  return second;
};

const taken = ({ address }: BackupBucket): UserError =>
  new UserError(`Another backup is written to ${address} just now: wait until it has ended.`);

/** Whether the holder is a program of this machine that has ended. */
const isGone = ({ host, pid }: Holder): boolean => host === hostname() && !isRunning(pid);

const readLock = ({ client, bucket, keyOf }: BackupBucket): Promise<StoredLock | undefined> =>
  unlessMissing(async () => {
    const { Body, ETag = "" } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(LOCK_FILE) }));
    return { holder: Holder.parse(JSON.parse((await Body?.transformToString()) ?? "null")), etag: ETag };
  });

/**
 * The ETag of what was written; undefined where the condition does not hold. A write whose answer is lost is sent again, and finds itself
 * there: it was written.
 */
const putLock = async (
  place: BackupBucket,
  holder: Holder,
  when: { readonly IfMatch: string } | { readonly IfNoneMatch: "*" },
): Promise<string | undefined> => {
  const { client, bucket, keyOf } = place;
  try {
    const put = { Bucket: bucket, Key: keyOf(LOCK_FILE), Body: JSON.stringify(holder), ...when };
    return (await client.send(new PutObjectCommand(put))).ETag ?? "";
  } catch (thrown) {
    if (!(thrown instanceof S3ServiceException && CONDITION_FAILED.has(thrown.$metadata.httpStatusCode ?? 0))) throw thrown;
    const there = await readLock(place);
    return there?.holder.id === holder.id && there.holder.turn === holder.turn ? there.etag : undefined;
  }
};

/** The condition does not hold; another write is under way; what was to be replaced is gone. */
const CONDITION_FAILED: ReadonlySet<number> = new Set([412, 409, 404]);
