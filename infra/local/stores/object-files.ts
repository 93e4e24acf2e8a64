import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { buildApp } from "fauxqs";

export type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>["stores"]>;
type ObjectStore = Stores["s3Store"];
export type ObjectFiles = NonNullable<ObjectStore["persistence"]> & { loadS3(objects: ObjectStore): void };

/** How the two files end that the store keeps of an object; the second is written last. */
const DATA = ".data";
const FACTS = ".meta.json";

/**
 * The objects of a folder, in a store that keeps further ones there. A process that is killed in the middle of a put leaves half of
 * an object: nobody was told that it is stored, so it is removed, and does not keep the others from being read.
 */
export const loadObjects = (makeStore: () => ObjectStore, files: ObjectFiles, folder: string): ObjectStore => {
  const attempt = (): ObjectStore => {
    const objects = makeStore();
    files.loadS3(objects);
    return objects;
  };
  try {
    return attempt();
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    removeHalves(folder);
    return attempt();
  }
};

const removeHalves = (folder: string): void => {
  for (const name of globSync([`buckets/**/*${FACTS}`, "buckets/*/.bucket.json"], { cwd: folder })) {
    const file = join(folder, name);
    if (isWhole(file)) continue;
    rmSync(file);
    if (file.endsWith(FACTS)) rmSync(`${file.slice(0, -FACTS.length)}${DATA}`, { force: true });
  }
  // Nobody is left who would finish an upload in parts.
  rmSync(join(folder, "_multipart"), { recursive: true, force: true });
};

const isWhole = (file: string): boolean => {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch {
    return false;
  }
};

/** Takes the facts of an object away before it is written anew: a put that is broken off must not leave new bytes under old facts. */
export const forgetBeforePut = (files: ObjectFiles, dataFile: (key: string) => string): void => {
  const put = files.upsertObject.bind(files);
  files.upsertObject = (bucket, object) => {
    rmSync(`${dataFile(object.key).slice(0, -DATA.length)}${FACTS}`, { force: true });
    put(bucket, object);
  };
};
