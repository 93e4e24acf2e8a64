import type { Downloads, Objects, Uploads } from "../../lib/ports/objects.ts";

/** A store for worlds in which nobody fetches or brings files past the platform. */
export const withoutDownloads = (objects: Objects): Objects & Downloads & Uploads => ({
  ...objects,
  offer: () => Promise.reject(new Error("nobody fetches files here")),
  address: () => Promise.reject(new Error("nobody fetches files here")),
  admit: () => Promise.reject(new Error("nobody brings files here")),
});
