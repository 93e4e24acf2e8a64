import { promisify } from "node:util";
import { gzip, zstdCompress } from "node:zlib";
import { isoOfMicros } from "../../../lib/core/time.ts";
import type { StoredEvent } from "../../../lib/engine/stored-events.ts";
import { parquetFile } from "../../../lib/lake/parquet.ts";

export const FORMS = ["jsonl", "parquet"] as const;
export type Form = (typeof FORMS)[number];

export const COMPRESSIONS = ["none", "gzip", "zstd"] as const;
export type Compression = (typeof COMPRESSIONS)[number];

/** How events become bytes, and what the name of a file of them ends with. */
export interface Encoder {
  readonly ending: string;
  /** Bytes that are whole in themselves: lines, a member of gzip, a frame of zstd or a file of Parquet. */
  encode(events: readonly StoredEvent[]): Promise<Uint8Array>;
}

export const encoderOf = (form: Form, compression: Compression): Encoder => {
  if (form === "parquet") return { ending: ".parquet", encode: parquetOf };
  switch (compression) {
    case "none":
      return { ending: ".jsonl", encode: async (events) => linesOf(events) };
    case "gzip":
      return { ending: ".jsonl.gz", encode: (events) => gzipped(linesOf(events)) };
    case "zstd":
      return { ending: ".jsonl.zst", encode: (events) => zstdCompressed(linesOf(events)) };
  }
};

const gzipped = promisify(gzip);
const zstdCompressed = promisify(zstdCompress);

const linesOf = (events: readonly StoredEvent[]): Uint8Array => Buffer.from(events.map(lineOf).join(""));

/** Properties go out as the text that is stored, so no number loses a digit. */
const lineOf = ({ uuid, event, distinct_id, timestamp, properties }: StoredEvent): string =>
  `{"uuid":"${uuid}","event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(distinct_id)},"timestamp":"${isoOfMicros(timestamp)}","properties":${onOneLine(properties)}}\n`;

/** Within JSON an end of a line stands between values alone. */
const onOneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, " ") : json);

const parquetOf = async (events: readonly StoredEvent[]): Promise<Uint8Array> => {
  const text = (name: string, values: readonly string[], repeats: boolean) =>
    ({ name, kind: "utf8", values, nullable: false, repeats }) as const;
  const { content } = await parquetFile(
    [
      { name: "uuid", kind: "uuid", values: events.map(({ uuid }) => uuid), repeats: false },
      text(
        "event",
        events.map(({ event }) => event),
        true,
      ),
      text(
        "distinct_id",
        events.map(({ distinct_id }) => distinct_id),
        true,
      ),
      { name: "timestamp", kind: "timestamp", values: BigInt64Array.from(events, ({ timestamp }) => timestamp) },
      text(
        "properties",
        events.map(({ properties }) => properties),
        false,
      ),
    ],
    events.length,
    {},
  );
  return content;
};
