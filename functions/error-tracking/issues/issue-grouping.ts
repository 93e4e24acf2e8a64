import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { readIssueFingerprints } from "../../../lib/error-tracking/issue-fingerprints.ts";
import { json } from "../../../lib/http/reply.ts";
import { BASE, read, TAGS } from "../place.ts";
import { StackFrameForm } from "../stack-frames/stack-frame-form.ts";
import { Origin, originOf, Pieces, readFrames, readRules, storedRecord } from "./explanation.ts";
import { knownIssue } from "./known-issue.ts";

const Explanation = z.object({
  fingerprint: z.string(),
  how: Origin.shape.how,
  moved: z.boolean(),
  rule: Origin.shape.rule,
  record: Pieces.nullable(),
});

/** Fingerprints that one answer explains. */
const MOST_FINGERPRINTS = 100;

const explain = route({
  method: "GET",
  path: `${BASE}/issues/{id}/grouping/`,
  summary: "Why events are in this issue",
  description: "For each of its fingerprints: the rule, or what it was made of; and the frames that were used.",
  tags: TAGS,
  access: read,
  reply: json(200, z.object({ issue_id: z.guid(), fingerprints: z.array(Explanation), frames: z.array(StackFrameForm) })),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  async handle({ found, world }) {
    const { table } = world;
    const { project, id } = found;
    const fingerprints = await readIssueFingerprints(table, found, MOST_FINGERPRINTS);
    const records = fingerprints.map(storedRecord);
    const rules = await readRules(table, project, records);
    return {
      issue_id: id,
      fingerprints: fingerprints.map(({ fingerprint, version }, index) => {
        const record = records[index] ?? null;
        return { fingerprint, moved: version > 0, ...originOf(record, rules), record };
      }),
      frames: await readFrames(table, project, records),
    };
  },
});

export const groupingRoutes = [explain];
