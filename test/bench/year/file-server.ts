import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import * as z from "zod";

/**
 * A thread that serves the files of a directory as S3 serves objects to whoever reads them: their heads, and their bytes from and to. It says
 * its port, and ends with the thread.
 */
const { root } = z.object({ root: z.string() }).parse(workerData);

const RANGE = /^bytes=(\d+)-(\d*)$/;

const answer = async (method: string, path: string, range: string, response: ServerResponse): Promise<void> => {
  // The first name is the bucket's.
  const file = `${root}/${decodeURIComponent(path).split("/").slice(2).join("/")}`;
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined) {
    response.writeHead(404).end();
    return;
  }
  const [, first = "0", last = ""] = RANGE.exec(range) ?? [];
  const [start, end] = [Number(first), last === "" ? facts.size - 1 : Math.min(Number(last), facts.size - 1)];
  response.writeHead(range === "" ? 200 : 206, {
    "content-length": end - start + 1,
    "content-range": `bytes ${start}-${end}/${facts.size}`,
    etag: `"${facts.size}"`,
    "last-modified": facts.mtime.toUTCString(),
  });
  if (method === "HEAD") response.end();
  // A reader that has enough goes away, and the file has to be closed then, too.
  else pipeline(createReadStream(file, { start, end, highWaterMark: 1_048_576 }), response, () => undefined);
};

const server = createServer((request, response) => {
  const { method = "GET", url = "/", headers } = request;
  answer(method, url.split("?")[0] ?? "", headers.range ?? "", response).catch(() => response.destroy());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  parentPort?.postMessage(typeof address === "object" && address ? address.port : 0);
});
