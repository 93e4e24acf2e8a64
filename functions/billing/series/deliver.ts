import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { pipeline as written } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { World } from "../../../lib/app/world.ts";
import type { SentFile } from "../../../lib/http/reply.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { exportKey } from "../../../lib/lake/paths.ts";

/** The largest file that passes the platform's gateway as text: base64 takes a third more, and so do escapes. */
const MAX_BYTES_HERE = 4_000_000;

const GZIP_LEVEL = 3;

const MEDIA_TYPE = "text/csv";

/**
 * Sends a file that is made piece by piece: as it is when it is small, else past the gateway through the object store. Either way it
 * is one file, and one stream of gzip where the client takes that.
 */
export const deliver = async (
  world: Pick<World, "objects" | "ids">,
  request: HttpRequest,
  organization: string,
  name: string,
  pieces: AsyncIterable<string>,
): Promise<SentFile> => {
  const zipped = takesGzip(request.headers["accept-encoding"] ?? "");
  const headers = { vary: "Accept-Encoding", ...(zipped && { "content-encoding": "gzip" }) };
  const bytes = bytesOf(pieces, zipped);
  const held: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const next = await bytes.next();
    if (next.done) return { kind: "here", name, headers, body: Buffer.concat(held) };
    held.push(next.value);
    size += next.value.byteLength;
    if (size > MAX_BYTES_HERE) break;
  }
  const address = await inFile(
    async function* () {
      yield* held;
      yield* bytes;
    },
    (path) => {
      const download = { name, mediaType: MEDIA_TYPE, ...(zipped && { encoding: "gzip" as const }) };
      return world.objects.offer(exportKey(organization, world.ids.ulid()), path, download);
    },
  );
  return { kind: "elsewhere", address, headers: { vary: "Accept-Encoding" } };
};

async function* bytesOf(pieces: AsyncIterable<string>, zipped: boolean): AsyncGenerator<Uint8Array> {
  const text = Readable.from(pieces);
  // What fails in making the text ends the stream behind it, too.
  const stream = zipped ? pipeline(text, createGzip({ level: GZIP_LEVEL }), () => undefined) : text;
  for await (const chunk of stream) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

/** Writes a file of its own for as long as `use` needs it. */
const inFile = async <T>(bytes: () => AsyncIterable<Uint8Array>, use: (path: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), "export-"));
  try {
    const path = join(folder, "export");
    await written(bytes(), createWriteStream(path));
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Whether gzip is among what the client takes, and not with quality 0. */
const takesGzip = (header: string): boolean =>
  header.split(",").some((each) => {
    const [coding = "", quality = ""] = each.split(";").map((part) => part.trim().toLowerCase());
    return (coding === "gzip" || coding === "*") && !/^q\s*=\s*0(\.0*)?$/.test(quality);
  });
