import type { HttpReply } from "../request.ts";
import type { DeclaredRoute } from "../route.ts";

/** Request bodies that every operation reads. */
export const REQUEST_MEDIA_TYPES = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"] as const;

/** The answer to OPTIONS: what lies at a path. */
export const optionsReply = (route: DeclaredRoute, allowed: readonly string[]): HttpReply => ({
  status: 200,
  headers: { "content-type": "application/json", allow: allowed.join(", ") },
  body: JSON.stringify({
    name: route.summary,
    description: route.description ?? "",
    renders: [route.reply.kind === "text" ? route.reply.mediaType : "application/json"],
    parses: REQUEST_MEDIA_TYPES,
  }),
});
