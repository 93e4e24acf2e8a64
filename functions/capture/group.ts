import { rawGroup } from "../../lib/app/raw-group.ts";
import { bodyBytes, PATHS } from "./paths.ts";
import { judgeBeginning, serve } from "./serve.ts";

/** Capture reads its requests itself: any content type, several encodings, plain-text errors. */
export const capture = Object.freeze({
  ...rawGroup({
    name: "capture",
    gateway: "ingest",
    uses: { table: { read: ["tokens", "project"] }, queues: ["live", "historical"], objects: { write: ["messages"] }, counts: true },
    // The worst body takes 273 MB (measured; the bench allows 400) beside the runtime's own hundred.
    memoryMb: 512,
    paths: PATHS,
    bodyBytes,
    judgeBeginning,
    serve,
  }),
  // Our own, which never throws and writes the one log line of a request with project and counts in it.
  serve,
});
