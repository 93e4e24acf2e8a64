import { join } from "node:path";
import type { QueueName } from "../../../lib/ports/queues.ts";

/** The names of the embedded store's parts. */
export const BUCKET = "lake";
export const deadLetters = (queue: QueueName): string => `${queue}-dead-letters`;

/** The file that the store keeps an object in: one plain file per object, below a folder per bucket. */
export const objectFile =
  (storeDir: string) =>
  (key: string): string =>
    join(storeDir, "objects", "buckets", BUCKET, "objects", `${key.replace(/[<>:"|?*\\%]/g, escaped)}.data`);

const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
