import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CopyObjectCommand, NoSuchKey } from "@aws-sdk/client-s3";
import type { World } from "../../../lib/app/world.ts";
import { type OldestSent, oldestByMetric } from "../../../lib/aws/aws-queue-ages.ts";
import { GENERATION, NEXT_GENERATION } from "../../../lib/core/formats.ts";
import { MINUTE_MS } from "../../../lib/core/time.ts";
import { emptyQueues, readingTable } from "../../local/stores/copies.ts";
import { UserError } from "../../local/user-error.ts";
import { FORMATS_WRITTEN, STACK_OUTPUTS, stackNames } from "../../outputs.ts";
import { callersService } from "../callers-secrets.ts";
import { callersStacks } from "../stack-account.ts";
import { stackOutputs, stackTarget } from "../stack-target.ts";
import type { BackupDone } from "./back-up-directory.ts";
import { type BackupBucket, COPIES, callersStore, copySource, openBackupBucket } from "./backup-bucket.ts";
import { fileName, isOfAnother, OBJECTS_LIST, syncedDigest } from "./backup-files.ts";
import { type BackupLock, lockBackups } from "./backup-lock.ts";
import { copyNamedObjects, incomplete } from "./copy-named-objects.ts";
import { deletedVersion, withDeleted } from "./earlier-versions.ts";
import { exportTable, removeExports } from "./exported-table.ts";
import { type LaneMoment, laneMoment } from "./lane-moments.ts";
import { type CopyTarget, openObjectCopier } from "./object-copier.ts";
import { openObjectList } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** What a backup of a stage did, and what the lanes said when it was begun. */
export interface StackBackupDone extends BackupDone {
  readonly lanes: LaneMoment;
  /** When the table was as it is in the backup. */
  readonly exported_at: string;
}

/** A stage, as far as a backup reads it. */
interface Stage {
  readonly world: World;
  /** Of the formats that it writes. */
  readonly generation: number;
  readonly table: string;
  readonly bucket: string;
  readonly oldestSent: OldestSent;
}

/**
 * Copies a stage into another bucket while it is at work: what its lanes say, then the table as it is at one moment, then every object that
 * this copy of the table names, by the store itself. An event that was acknowledged is a message, or its commit is in the table; so what
 * had left the lanes before is in the table that is exported after. The manifest that makes it a backup is written last.
 */
export const backUpStack = async (stack: string, to: string, progress: Progress): Promise<StackBackupDone> => {
  const outputs = await stackOutputs(stack);
  const named = (name: string): string => outputs.get(name) ?? "";
  const place = await openBackupBucket(to);
  if (place.bucket === named(STACK_OUTPUTS.bucket))
    throw new UserError(`${to} is the stage's own bucket, and would go with what it is a backup of: name another bucket with --to.`);
  const generation = await writtenGeneration(stack);
  const urls = { live: named(STACK_OUTPUTS.queues.live), historical: named(STACK_OUTPUTS.queues.historical) };
  const { world, close } = await stackTarget(stack);
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  let lock: BackupLock | undefined;
  try {
    await place.readManifest();
    lock = await lockBackups(place, progress);
    const [table, bucket] = [named(STACK_OUTPUTS.table), named(STACK_OUTPUTS.bucket)];
    const oldestSent = oldestByMetric(await callersService("monitoring", "CLOUDWATCH"), urls);
    return await backUp({ world, generation, table, bucket, oldestSent }, place, lock, folder, progress);
  } finally {
    await lock?.release();
    await rm(folder, { recursive: true, force: true });
    await close();
  }
};

const writtenGeneration = async (stack: string): Promise<number> => {
  const outputs = await callersStacks().outputs(stackNames(stack).data);
  const written = Number(outputs?.get(FORMATS_WRITTEN) ?? GENERATION);
  if (written > NEXT_GENERATION)
    throw new UserError(
      `${stack} writes formats of generation ${written}, and this release reads those up to ${NEXT_GENERATION}: back it up with a newer release.`,
    );
  return written;
};

/** Tables that are exported: what is deleted in between is there as an earlier version, so that a second one is hardly ever needed. */
const TRIES = 2;

const backUp = async (
  stage: Stage,
  place: BackupBucket,
  lock: BackupLock,
  folder: string,
  progress: Progress,
): Promise<StackBackupDone> => {
  const { world } = stage;
  const id = randomUUID();
  const local = (name: string): string => join(folder, name);
  const [table, queues, lists] = [fileName(id, "table"), fileName(id, "queues"), local(OBJECTS_LIST)];
  const isGoneOn = (await place.fetchFile(OBJECTS_LIST, lists)) !== undefined;
  const list = openObjectList(folder);
  // A place without a list is none of a backup, also after a kill.
  if (!isGoneOn) await list.saved(() => place.putFile(OBJECTS_LIST, lists));
  try {
    const copier = openObjectCopier(await copiesInBucket(stage, place), list, id, progress);
    const objects = withDeleted(world.objects, callersStore(), stage.bucket);
    let lanes: LaneMoment;
    let exportedAt: Date;
    for (let attempt = 1; ; attempt += 1) {
      lanes = await caughtUp(stage, progress);
      exportedAt = await exportTable(stage.table, place, local(table), progress);
      const missing = await readingTable(local(table), (copy) => copyNamedObjects({ ...world, objects, table: copy }, copier));
      if (missing.length === 0) break;
      if (attempt === TRIES) throw incomplete(missing);
      progress.line(`${missing.length} of the objects that the table names are gone: it is exported again.`);
    }
    progress.end();
    await emptyQueues(local(queues));
    for (const name of [table, queues]) await place.putFile(name, local(name));
    await lock.check();
    await list.saved(() => place.putFile(OBJECTS_LIST, lists));
    const manifest = {
      id,
      generation: stage.generation,
      began_at: new Date(lanes.before).toISOString(),
      files: { table: await syncedDigest(local(table)), queues: await syncedDigest(local(queues)) },
      objects: list.total(id),
      messages: 0,
      ended_at: new Date(world.clock.now()).toISOString(),
    };
    await lock.check();
    await place.writeManifest(manifest);
    const unnamed = [...list.keepOnly(id)].map((key) => COPIES + key);
    await list.saved(() => place.putFile(OBJECTS_LIST, lists));
    const others = [...(await place.files())].filter((name) => isOfAnother(name, id));
    await place.remove([...unnamed, ...others]);
    await removeExports(place);
    return { ...manifest, copied: copier.copied(), lanes, exported_at: exportedAt.toISOString() };
  } finally {
    list.close();
  }
};

/** Lanes that are further behind than this are waited for, and no longer than that. */
const BEHIND_MS = 10 * MINUTE_MS;
const PATIENCE_MS = 30 * MINUTE_MS;
const LOOK_AGAIN_MS = 15_000;

/** What the lanes say once they are hardly behind, or will not be so soon. */
const caughtUp = async ({ world, oldestSent }: Stage, progress: Progress): Promise<LaneMoment> => {
  const end = world.clock.now() + PATIENCE_MS;
  for (let isTold = false; ; isTold = true) {
    const lanes = await laneMoment(world, oldestSent);
    if (world.clock.now() - lanes.before < BEHIND_MS || world.clock.now() >= end) return lanes;
    if (!isTold)
      progress.line(
        "The lanes are behind, or do not say yet how far: half an hour is given for what waits to be stored, so that it is in the backup.",
      );
    await pause(LOOK_AGAIN_MS);
  }
};

/** Copies that the store makes by itself, with a digest of each. */
const copiesInBucket = async ({ bucket }: Stage, place: BackupBucket): Promise<CopyTarget> => {
  const lengths = new Map(await place.list(COPIES));
  const stage = callersStore();
  const copy = async (key: string, version?: string): Promise<boolean> => {
    const to = { Bucket: place.bucket, Key: place.keyOf(COPIES + key) };
    try {
      await place.client.send(new CopyObjectCommand({ ...to, CopySource: copySource(bucket, key, version), ChecksumAlgorithm: "SHA256" }));
      return true;
    } catch (thrown) {
      if (thrown instanceof NoSuchKey) return false;
      throw thrown;
    }
  };
  return {
    bytesOf: (key) => lengths.get(key),
    identify: (key) => place.digestOf(COPIES + key),
    async copy(key) {
      if (!(await copy(key))) {
        const version = await deletedVersion(stage, bucket, key);
        if (version === undefined || !(await copy(key, version))) return undefined;
      }
      const copied = await place.digestOf(COPIES + key);
      if (copied === undefined)
        throw new UserError(`The store of ${place.address} keeps no SHA-256 of what it copies: name a bucket of S3 with --to.`);
      lengths.set(key, copied.bytes);
      return copied;
    },
  };
};
