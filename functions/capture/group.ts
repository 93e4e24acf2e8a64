import { rawGroup } from "../../lib/http/raw-group.ts";
import { PATHS } from "./endpoints.ts";
import { serve } from "./serve.ts";

/** Capture reads its requests itself: any content type, several encodings, plain-text errors. */
export const capture = rawGroup({ name: "capture", gateway: "ingest", uses: ["table", "queues", "objects"], paths: PATHS, serve });
