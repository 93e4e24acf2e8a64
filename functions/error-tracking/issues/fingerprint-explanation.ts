import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { Fingerprint } from "../../../lib/error-tracking/fingerprints.ts";
import { readLiveIssue } from "../../../lib/error-tracking/live-issues.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, read, TAGS } from "../place.ts";
import { StackFrameForm } from "../stack-frames/stack-frame-form.ts";
import { Origin, originOf, Piece, readFrames, readRules, type StoredRecord, storedRecord } from "./explanation.ts";
import { knownFingerprint } from "./fingerprints.ts";

const Explanation = z.object({
  fingerprint: z.string(),
  issue_id: z.guid(),
  version: z.enum(["v1", "v2"]).nullable(),
  ...Origin.shape,
  pieces: z.array(Piece.extend({ frame: StackFrameForm.nullable().optional() })),
});

const explain = route({
  method: "GET",
  path: `${BASE}/fingerprints/{id}/explain/`,
  summary: "Explain a fingerprint",
  description: "The rule that gave it, or what of its first exception it was made of, in the order in which that was hashed.",
  tags: TAGS,
  access: read,
  reply: json(200, Explanation),
  errors: [400],
  find: ({ params, grant, world }) => knownFingerprint(world.table, grant.project.id, params.id, ["shown"]),
  async handle({ found, world: { table } }) {
    const { project, fingerprint, issue_id } = found;
    const record = storedRecord(found);
    const [issue, rules, frames] = await Promise.all([
      readLiveIssue(table, project, issue_id),
      readRules(table, project, [record]),
      readFrames(table, project, [record]),
    ]);
    const byRawId = new Map(frames.map((frame) => [frame.raw_id, frame]));
    return {
      fingerprint,
      issue_id: issue?.id ?? issue_id,
      version: versionOf(found, record),
      ...originOf(record, rules),
      pieces: (record ?? []).map((piece) =>
        piece.type === "frame" ? { ...piece, frame: byRawId.get(piece.raw_id ?? "") ?? null } : piece,
      ),
    };
  },
});

/** Null for what no algorithm made. */
const versionOf = ({ grouping_version = "v1" }: Fingerprint, record: StoredRecord): z.input<typeof Explanation>["version"] =>
  record === null || record.some(({ type }) => type === "exception") ? grouping_version : null;

export const fingerprintExplanationRoutes = [explain];
