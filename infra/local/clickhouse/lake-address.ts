import { BUCKET } from "../stores/store-names.ts";
import type { LakeAddress } from "./configuration.ts";

/** Where the embedded object store of a platform has the lake. It checks no credentials, but S3 insists on some. */
export const lakeAddress = (store: string): LakeAddress => ({
  url: `${store}/${BUCKET}/`,
  accessKeyId: "local",
  secretAccessKey: "local",
});
