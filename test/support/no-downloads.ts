import type { Downloads, Objects } from "../../lib/ports/objects.ts";

/** A store for worlds in which nobody fetches files past the platform. */
export const withoutDownloads = (objects: Objects): Objects & Downloads => ({
  ...objects,
  offer: () => Promise.reject(new Error("nobody fetches files here")),
});
