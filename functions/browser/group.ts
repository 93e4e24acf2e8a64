import { rawGroup } from "../../lib/app/raw-group.ts";
import { bodyBytes, PATHS } from "./paths.ts";
import { serve } from "./serve.ts";

/** Serves what SDKs ask for besides sending events: configuration, their own scripts, and flags, surveys and the like, of which there are none. */
export const browser = rawGroup({
  name: "browser",
  gateway: "ingest",
  // Compressing the largest script takes a part of a second of a whole core; it is kept.
  uses: { table: { read: ["tokens"] } },
  paths: PATHS,
  bodyBytes,
  serve,
});
