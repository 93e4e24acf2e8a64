import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import type { Fingerprint } from "../../../lib/error-tracking/fingerprints.ts";
import { readIssueFingerprints } from "../../../lib/error-tracking/issue-fingerprints.ts";
import { GroupingRules } from "../../../lib/error-tracking/rules.ts";
import { stackFramesNamed } from "../../../lib/error-tracking/stack-frames.ts";
import { json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { BASE, read, TAGS } from "../place.ts";
import { StackFrameForm, stackFrameForms } from "../stack-frames/stack-frame-form.ts";
import { knownIssue } from "./known-issue.ts";

/** A part of the first exception of a fingerprint that went into it. */
const Piece = z.looseObject({
  type: z.enum(["manual", "overflow", "custom", "exception", "frame"]),
  id: z.string().optional(),
  raw_id: z.string().optional(),
  rule_id: z.string().optional(),
  pieces: z.array(z.string()).optional(),
});
const Pieces = z.array(Piece);

const Explanation = z.object({
  fingerprint: z.string(),
  how: z.enum(["manual", "rule", "automatic"]),
  moved: z.boolean(),
  rule: z.object({ id: z.guid(), description: z.string().nullable() }).nullable(),
  record: Pieces.nullable(),
});

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
    const fingerprints = (await readIssueFingerprints(table, found)).slice(0, MOST_FINGERPRINTS);
    const records = fingerprints.map(({ record }) => (record === null ? null : Pieces.parse(JSON.parse(record))));
    const rules = await readRules(table, project, records);
    return {
      issue_id: id,
      fingerprints: fingerprints.map((fingerprint, index) => explainFingerprint(fingerprint, records[index] ?? null, rules)),
      frames: await readFrames(table, project, records),
    };
  },
});

/** Fingerprints and frames that one answer explains. */
const MOST_FINGERPRINTS = 100;
const MOST_FRAMES = 100;

type Records = readonly (z.output<typeof Pieces> | null)[];
type Rules = ReadonlyMap<string, { readonly id: string; readonly description: string | null }>;

const explainFingerprint = ({ fingerprint, version }: Fingerprint, record: Records[number], rules: Rules): z.input<typeof Explanation> => {
  const [first] = record ?? [];
  const ruleId = first?.rule_id;
  return {
    fingerprint,
    how: first?.type === "manual" ? "manual" : ruleId === undefined ? "automatic" : "rule",
    moved: version > 0,
    rule: ruleId === undefined ? null : (rules.get(ruleId) ?? { id: ruleId, description: null }),
    record,
  };
};

const readRules = async (table: Table, project: number, records: Records): Promise<Rules> => {
  const keys = new Set(records.flatMap((record) => record?.flatMap(({ rule_id }) => rule_id ?? []) ?? []));
  const rules =
    keys.size === 0
      ? []
      : await getMany(
          table,
          GroupingRules,
          [...keys].map((id) => ({ project, id })),
        );
  return new Map(rules.map(({ id, description }) => [id, { id, description }]));
};

const readFrames = async (table: Table, project: number, records: Records): Promise<z.input<typeof StackFrameForm>[]> => {
  const rawIds = new Set(records.flatMap((record) => record?.flatMap(({ raw_id }) => raw_id ?? []) ?? []));
  return stackFrameForms(table, await stackFramesNamed(table, project, [...rawIds].slice(0, MOST_FRAMES)));
};

export const groupingRoutes = [explain];
