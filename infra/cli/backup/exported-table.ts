import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import {
  DescribeExportCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ExportTableToPointInTimeCommand,
  PointInTimeRecoveryUnavailableException,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { openTableFile } from "../../local/stores/copies.ts";
import { UserError } from "../../local/user-error.ts";
import type { BackupBucket } from "./backup-bucket.ts";
import type { Progress } from "./progress.ts";
import { staysBehind, type TypedItem, writeItems } from "./table-items.ts";

/** Where the service puts an export; it goes once it was read. */
const EXPORTS = "exports/";

/** A line of the export's list of its files. */
const ExportedFile = z.object({ itemCount: z.int(), dataFileS3Key: z.string() });
type ExportedFile = z.output<typeof ExportedFile>;

/**
 * Brings a table as it is now into a file of the embedded database, by an export of the service: that is one state of the table, at no
 * cost to those who use it. Takes minutes. Returns the moment of that state.
 */
export const exportTable = async (table: string, place: BackupBucket, file: string, progress: Progress): Promise<Date> => {
  const client = new DynamoDBClient({});
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const { arn, at } = await begin(client, Table?.TableArn, place);
  const manifest = await ended(client, arn, progress);
  const files = await listed(place, manifest, `${file}.export`);
  await rm(file, { force: true });
  await openTableFile(file, async (into, name) => {
    const total = files.reduce((sum, { itemCount }) => sum + itemCount, 0);
    let before = 0;
    for (const exported of files) {
      if (exported.itemCount === 0) continue;
      const told = (items: number): void => progress.at(`${before + items} of ${total} items of the table`);
      await writeItems(into, name, itemsOf(place, exported, `${file}.export`), told);
      before += exported.itemCount;
    }
  });
  progress.end();
  return at;
};

/** Takes away what exports left, those of commands that broke off as well. */
export const removeExports = async (place: BackupBucket): Promise<void> =>
  place.remove([...(await place.list(EXPORTS)).keys()].map((name) => EXPORTS + name));

const begin = async (client: DynamoDBClient, TableArn: string | undefined, { bucket, keyOf, address }: BackupBucket) => {
  try {
    const { ExportDescription } = await client.send(
      new ExportTableToPointInTimeCommand({
        TableArn,
        S3Bucket: bucket,
        S3Prefix: keyOf(EXPORTS.slice(0, -1)),
        ExportFormat: "DYNAMODB_JSON",
      }),
    );
    const { ExportArn: arn, ExportTime: at } = ExportDescription ?? {};
    if (arn === undefined || at === undefined) throw new UserError("DynamoDB did not say what it exports: run the command again.");
    return { arn, at };
  } catch (thrown) {
    if (thrown instanceof UserError) throw thrown;
    if (thrown instanceof PointInTimeRecoveryUnavailableException)
      throw new UserError(
        "Point-in-time recovery of the stage's table is off, without which it cannot be exported: turn it on, or deploy the stage again.",
      );
    throw new UserError(`The table cannot be exported to ${address}: ${thrownMessage(thrown)}`);
  }
};

const ASK_AGAIN_MS = 5_000;

/** Waits for an export, and gives the key of its list of files. */
const ended = async (client: DynamoDBClient, ExportArn: string, progress: Progress): Promise<string> => {
  const began = performance.now();
  for (;;) {
    const { ExportDescription = {} } = await client.send(new DescribeExportCommand({ ExportArn }));
    const { ExportStatus, ExportManifest, FailureMessage } = ExportDescription;
    if (ExportStatus === "FAILED") throw new UserError(`DynamoDB could not export the table: ${FailureMessage ?? "it does not say why"}.`);
    if (ExportStatus === "COMPLETED" && ExportManifest !== undefined) return ExportManifest;
    progress.at(`DynamoDB exports the table, which takes minutes (${Math.round((performance.now() - began) / 1_000)} s so far)`);
    await pause(ASK_AGAIN_MS);
  }
};

/** The files of an export: their list lies beside the summary. */
const listed = async (place: BackupBucket, manifest: string, path: string): Promise<readonly ExportedFile[]> => {
  const files: ExportedFile[] = [];
  for await (const line of linesOf(place, manifest.replace("manifest-summary", "manifest-files"), path))
    files.push(ExportedFile.parse(JSON.parse(line)));
  return files;
};

/** The items of a file that mean something elsewhere. Throws a `UserError` where the file holds others than its list says. */
async function* itemsOf(place: BackupBucket, { dataFileS3Key: key, itemCount }: ExportedFile, path: string): AsyncGenerator<TypedItem> {
  let read = 0;
  for await (const line of linesOf(place, key, path)) {
    const item: TypedItem = JSON.parse(line, withBytes).Item;
    read += 1;
    if (!staysBehind(item)) yield item;
  }
  if (read !== itemCount)
    throw new UserError(`The export of the table is damaged: ${key} holds ${read} of ${itemCount} items. Run the command again.`);
}

/** Bytes are base64 in the text; the attribute of an item that is called B is an object. */
const withBytes = (name: string, value: unknown): unknown =>
  name === "B" && typeof value === "string" ? Buffer.from(value, "base64") : value;

/** The lines of a file that the service wrote. It names files by their whole keys. */
async function* linesOf(place: BackupBucket, key: string, path: string): AsyncGenerator<string> {
  const name = key.slice(place.keyOf("").length);
  if ((await place.fetchFile(name, path)) === undefined)
    throw new UserError(`The export of the table lacks ${key}: run the command again.`);
  const bytes = createReadStream(path);
  try {
    for await (const line of createInterface({ input: key.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes }))
      if (line !== "") yield line;
  } finally {
    bytes.destroy();
    await rm(path, { force: true });
  }
}
