import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ConditionalCheckFailedException, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import { sendJobs } from "../../../lib/jobs/jobs.ts";
import { HEAD_SK } from "../../../lib/lake/paths.ts";
import { MAX_MESSAGES_PER_SEND, type QueueName } from "../../../lib/ports/queues.ts";
import { documentClient } from "../../../lib/table/dynamo.ts";
import { INDEX_LAYOUT } from "../../../lib/table/layout.ts";
import { listKeys } from "../../../lib/table/partitions.ts";
import { messagesIn, openTableFile } from "../../local/stores/copies.ts";
import { UserError } from "../../local/user-error.ts";
import { STACK_OUTPUTS } from "../../outputs.ts";
import { stackOutputs, stackTarget } from "../stack-target.ts";
import { callersStore } from "./backup-bucket.ts";
import { type BackupSource, openBackup } from "./backup-source.ts";
import { everyOrganization } from "./every-organization.ts";
import type { Progress } from "./progress.ts";
import type { RestoreDone, RestoreOptions } from "./restore-directory.ts";
import { restoreFile, restoreObjects } from "./restore-objects.ts";
import { isOfWorkers, scanItems, staysBehind, type TypedItem, writeItems } from "./table-items.ts";
import { type Verification, verify } from "./verify.ts";

/** A stage, as far as a restore writes to it. */
interface Stage {
  readonly name: string;
  readonly world: World;
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly bucket: string;
}

/** Lies in the bucket of a stage for as long as a restore is under way, and says of which backup. */
const MARK = "restoring";
const Mark = z.object({
  id: z.string(),
  /** All that no worker looks for is in the table: from here on workers may change what is there. */
  is_waking: z.boolean(),
});
type Mark = z.output<typeof Mark>;

/**
 * Fills an empty stage from a backup: the objects first, then the items that no worker looks for, then the others, each of them only where
 * there is none; so workers that are awake find whatever an item names. The same command goes on where it was broken off.
 */
export const restoreStack = async (from: string, stack: string, options: RestoreOptions): Promise<RestoreDone> => {
  const outputs = await stackOutputs(stack);
  const named = (name: string): string => outputs.get(name) ?? "";
  const source = await openBackup(from);
  const { world, close } = await stackTarget(stack);
  const folder = await mkdtemp(join(tmpdir(), "restore-"));
  const client = documentClient();
  try {
    checkFormats(source, stack, outputs.get(STACK_OUTPUTS.formatsRead));
    const stage = { name: stack, world, client, table: named(STACK_OUTPUTS.table), bucket: named(STACK_OUTPUTS.bucket) };
    return { manifest: source.manifest, verification: await restore(source, stage, folder, options) };
  } finally {
    client.destroy();
    await Promise.all([source.close(), close(), rm(folder, { recursive: true, force: true })]);
  }
};

const checkFormats = ({ manifest, place }: BackupSource, stack: string, read: string | undefined): void => {
  if (read !== undefined && Number(read) < manifest.generation)
    throw new UserError(
      `What is in ${place} is of formats of generation ${manifest.generation}, and the stage ${stack} reads up to ${read}: deploy a newer release to it first.`,
    );
};

const restore = async (source: BackupSource, stage: Stage, folder: string, { isDeep, progress }: RestoreOptions): Promise<Verification> => {
  const { world } = stage;
  const [table, queues] = [join(folder, "table"), join(folder, "queues")];
  const mark = await begin(stage, source.manifest.id);
  await restoreFile(source, "table", table);
  await restoreFile(source, "queues", queues);
  await restoreObjects(source, { objects: world.objects, bucket: { name: stage.bucket, client: callersStore() } }, progress);
  const organizations = await openTableFile(table, (copy, name) =>
    putItems(stage, mark, () => filtered(scanItems(copy, name), (item) => !staysBehind(item)), progress),
  );
  await sendMessages(world, queues, progress);
  progress.at("Everything is there; now it is verified.");
  await listed(world, organizations);
  await askForUsage(world);
  const verification = await verify(world, { isDeep, onProgress: progress.at });
  progress.end();
  await world.objects.remove([MARK]);
  return verification;
};

/** Goes on with what was begun of the same backup. Throws a `UserError` where the stage holds anything else. */
const begin = async (stage: Stage, id: string): Promise<Mark> => {
  const { world, name } = stage;
  const found = await world.objects.get(MARK);
  if (found !== undefined) {
    const mark = Mark.parse(JSON.parse(Buffer.from(found).toString()));
    if (mark.id === id) return mark;
    throw new UserError(`A restore of another backup was begun in the stage ${name}: take an empty stage, or finish that one first.`);
  }
  const [object] = (await world.objects.list("", null)).objects;
  const item = await foreignItem(stage);
  if (object !== undefined || item !== undefined)
    throw new UserError(
      `The stage ${name} is not empty: ${object === undefined ? `its table holds ${item}` : `its bucket holds ${object.key}`}. Deploy a new stage and restore into that one.`,
    );
  const mark = { id, is_waking: false };
  await putMark(world, mark);
  return mark;
};

const putMark = ({ objects }: World, mark: Mark): Promise<void> => objects.put(MARK, Buffer.from(JSON.stringify(mark)));

/** The partition of an item that somebody made; undefined where there is none. */
const foreignItem = async ({ client, table }: Stage): Promise<string | undefined> => {
  for await (const item of scanItems(client, table)) if (!isOfWorkers(item)) return item.pk?.S;
  return undefined;
};

/** What workers look for by themselves: what is due, and organizations, from which all else is found. */
const wakes = (item: TypedItem): boolean => INDEX_LAYOUT.due.pk in item || isOrganization(item);

const isOrganization = (item: TypedItem): boolean => listKeys("organization", "gsi1")[0] === item[INDEX_LAYOUT.gsi1.pk]?.S;

const isHead = ({ sk }: TypedItem): boolean => sk?.S === HEAD_SK;

/** Puts all items into the table of the stage, and returns how many organizations are among them. */
const putItems = async (stage: Stage, mark: Mark, items: () => AsyncGenerator<TypedItem>, progress: Progress): Promise<number> => {
  const { client, table, world } = stage;
  const told = (written: number): void => progress.at(`${written} items of the table`);
  if (!mark.is_waking) {
    await writeItems(
      client,
      table,
      filtered(items(), (item) => !wakes(item)),
      told,
    );
    await putMark(world, { ...mark, is_waking: true });
  }
  let organizations = 0;
  // Heads before the commits that they do not contain yet: a worker that finds a commit reads its head.
  for (const isTurn of [isHead, (item: TypedItem) => !isHead(item)])
    for await (const item of filtered(items(), (each) => wakes(each) && isTurn(each))) {
      await putUnlessThere(stage, item);
      if (isOrganization(item)) organizations += 1;
    }
  return organizations;
};

async function* filtered<T>(all: AsyncIterable<T>, isWanted: (each: T) => boolean): AsyncGenerator<T> {
  for await (const each of all) if (isWanted(each)) yield each;
}

const putUnlessThere = async ({ client, table }: Stage, Item: TypedItem): Promise<void> => {
  try {
    await client.send(new PutItemCommand({ TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" }));
  } catch (thrown) {
    if (!(thrown instanceof ConditionalCheckFailedException)) throw thrown;
  }
};

/** Sends what waited in a data directory when it was backed up. Twice does no harm: events are known by their identity, and jobs may be done twice. */
const sendMessages = async ({ queues }: World, file: string, progress: Progress): Promise<void> => {
  const waiting = new Map<QueueName, string[]>();
  let sent = 0;
  const send = async (queue: QueueName): Promise<void> => {
    const bodies = waiting.get(queue) ?? [];
    waiting.delete(queue);
    const unsent = await queues.send(
      queue,
      bodies.map((body, at) => ({ id: String(at), body })),
    );
    if (unsent.length > 0) throw new UserError(`The queue ${queue} does not take messages: run the command again, which goes on.`);
    sent += bodies.length;
    progress.at(`${sent} messages`);
  };
  for (const { queue, body } of messagesIn(file)) {
    const bodies = waiting.get(queue) ?? [];
    waiting.set(queue, [...bodies, body]);
    if (bodies.length + 1 === MAX_MESSAGES_PER_SEND) await send(queue);
  }
  for (const queue of waiting.keys()) await send(queue);
};

/** A backup of a stage has no jobs: that of what was stored, and not yet counted, when it was taken would come with the next night's. */
const askForUsage = async ({ table, queues }: World): Promise<void> => {
  for await (const { projects } of everyOrganization(table)) {
    const jobs = projects.filter(({ state }) => state === "active").map(({ id }) => ({ kind: "usage", project: id }) as const);
    if ((await sendJobs(queues, jobs)).length > 0)
      throw new UserError("The queue jobs does not take messages: run the command again, which goes on.");
  }
};

const INDEX_LAG_MS = 60_000;
const LOOK_AGAIN_MS = 500;

/** Waits until the index, which lags, lists all organizations. */
const listed = async ({ table }: World, organizations: number): Promise<void> => {
  for (const end = performance.now() + INDEX_LAG_MS; performance.now() < end; await pause(LOOK_AGAIN_MS)) {
    let found = 0;
    for await (const _ of everyOrganization(table)) found += 1;
    if (found >= organizations) return;
  }
  throw new UserError("The table's index does not list all organizations yet: run the command again in a minute, which goes on.");
};
