import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { copyDatabase } from "../../../infra/local/stores/copies.ts";
import { startDynamodb } from "../../../infra/local/stores/dynamodb.ts";
import type { Buckets } from "./buckets.ts";

/** Exports of tables, which the embedded database does not have. */
export interface Exports {
  /** The file of the table that answers at an endpoint, and the bucket whose objects it names. */
  add(endpoint: string, table: { readonly file: string; readonly bucket: string }): void;
  /** Undefined for what is no call about exports. */
  answer(
    target: string,
    body: Buffer,
    account: { readonly dynamodb: string },
  ): Promise<{ readonly status: number; readonly body: string } | undefined>;
  /** Called when the state to export is taken, before any of it is written. */
  taken: () => Promise<void> | void;
  isRecoverable: boolean;
}

const Begin = z.object({
  TableArn: z.string(),
  S3Bucket: z.string(),
  S3Prefix: z.string().optional(),
  ExportFormat: z.literal("DYNAMODB_JSON"),
});
const Describe = z.object({ ExportArn: z.string() });
const Scanned = z.object({ Items: z.array(z.unknown()), LastEvaluatedKey: z.unknown().optional() });

interface Export {
  readonly ExportArn: string;
  readonly ExportTime: number;
  ExportStatus: "IN_PROGRESS" | "COMPLETED" | "FAILED";
  FailureMessage?: string;
  ExportManifest?: string;
}

export const openExports = (buckets: Buckets): Exports => {
  const tables = new Map<string, { readonly file: string; readonly bucket: string }>();
  const known = new Map<string, Export>();

  const begin = async (asked: z.output<typeof Begin>, endpoint: string) => {
    const table = tables.get(endpoint);
    if (table === undefined) throw new Error(`no table answers at ${endpoint}`);
    const folder = await mkdtemp(join(tmpdir(), "export-"));
    const file = join(folder, "table.db");
    // What a table names at a moment was there then, so a bucket with versions has it.
    await buckets.keepVersions(table.bucket);
    await copyDatabase(table.file, file);
    await buckets.keepVersions(table.bucket);
    const id = `0${Date.now()}-${randomUUID().slice(0, 8)}`;
    const made: Export = {
      ExportArn: `${asked.TableArn}/export/${id}`,
      ExportTime: Math.floor(Date.now() / 1_000),
      ExportStatus: "IN_PROGRESS",
    };
    known.set(made.ExportArn, made);
    const write = async (): Promise<void> => {
      await exports.taken();
      const base = `${asked.S3Prefix === undefined ? "" : `${asked.S3Prefix}/`}AWSDynamoDB/${id}`;
      const put = (name: string, bytes: Buffer) => buckets.put(asked.S3Bucket, `${base}/${name}`, bytes);
      await put("_started", Buffer.alloc(0));
      const items = await scanned(file);
      // There is a file for each partition, also for an empty one.
      const files = [];
      for (const some of [items.filter((_, at) => at % 2 === 0), items.filter((_, at) => at % 2 === 1), []]) {
        const name = `data/${randomUUID().replaceAll("-", "")}.json.gz`;
        await put(name, gzipSync(some.map((Item) => `${JSON.stringify({ Item })}\n`).join("")));
        files.push({ itemCount: some.length, md5Checksum: "", etag: "", dataFileS3Key: `${base}/${name}` });
      }
      await put("manifest-files.json", Buffer.from(files.map((each) => `${JSON.stringify(each)}\n`).join("")));
      await put(
        "manifest-summary.json",
        Buffer.from(JSON.stringify({ version: "2020-06-30", itemCount: items.length, outputFormat: "DYNAMODB_JSON" })),
      );
      made.ExportManifest = `${base}/manifest-summary.json`;
      made.ExportStatus = "COMPLETED";
    };
    write()
      .catch((fault: unknown) => {
        made.ExportStatus = "FAILED";
        made.FailureMessage = String(fault);
      })
      .finally(() => rm(folder, { recursive: true, force: true }));
    return made;
  };

  const exports: Exports = {
    add: (endpoint, table) => void tables.set(endpoint, table),
    async answer(target, body, { dynamodb }) {
      const said = (status: number, value: unknown) => ({ status, body: JSON.stringify(value) });
      switch (target.split(".").at(-1)) {
        case "ExportTableToPointInTime":
          if (!exports.isRecoverable)
            return said(400, { __type: "com.amazonaws.dynamodb.v20120810#PointInTimeRecoveryUnavailableException", message: "off" });
          return said(200, { ExportDescription: await begin(Begin.parse(JSON.parse(body.toString())), dynamodb) });
        case "DescribeExport":
          return said(200, { ExportDescription: known.get(Describe.parse(JSON.parse(body.toString())).ExportArn) });
        default:
          return undefined;
      }
    },
    taken: () => undefined,
    isRecoverable: true,
  };
  return exports;
};

/** The items of the table of a file, as the wire has them. */
const scanned = async (file: string): Promise<readonly unknown[]> => {
  const { endpoint, stop } = await startDynamodb(file, {});
  try {
    const items: unknown[] = [];
    for (let from: unknown, first = true; first || from !== undefined; first = false) {
      const answer = await fetch(endpoint, {
        method: "POST",
        headers: {
          "content-type": "application/x-amz-json-1.0",
          "x-amz-target": "DynamoDB_20120810.Scan",
          authorization: "AWS4-HMAC-SHA256 Credential=local/20000101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
          "x-amz-date": "20000101T000000Z",
        },
        body: JSON.stringify({ TableName: "platform", ...(from !== undefined && { ExclusiveStartKey: from }) }),
      });
      const page = Scanned.parse(await answer.json());
      items.push(...page.Items);
      from = page.LastEvaluatedKey;
    }
    return items;
  } finally {
    await stop();
  }
};
