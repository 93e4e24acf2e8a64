import * as z from "zod";
import type { Fingerprint } from "../../../lib/error-tracking/fingerprints.ts";
import { GroupingRules } from "../../../lib/error-tracking/rules.ts";
import { stackFramesNamed } from "../../../lib/error-tracking/stack-frames.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { type StackFrameForm, stackFrameForms } from "../stack-frames/stack-frame-form.ts";

/** A part of the first exception of a fingerprint that went into it. */
export const Piece = z.looseObject({
  type: z.enum(["manual", "overflow", "custom", "exception", "frame"]),
  id: z.string().optional(),
  raw_id: z.string().optional(),
  rule_id: z.string().optional(),
  pieces: z.array(z.string()).optional(),
});
export const Pieces = z.array(Piece);

/** Where a fingerprint comes from, and the rule if one made it. */
export const Origin = z.object({
  how: z.enum(["manual", "rule", "automatic"]),
  rule: z.object({ id: z.guid(), description: z.string().nullable() }).nullable(),
});

/** What the first exception of a fingerprint was hashed of; null where that was too long to keep. */
export type StoredRecord = z.output<typeof Pieces> | null;
export type Rules = ReadonlyMap<string, { readonly id: string; readonly description: string | null }>;

export const storedRecord = ({ record }: Fingerprint): StoredRecord => (record === null ? null : Pieces.parse(JSON.parse(record)));

/** A rule that is deleted has its id still. */
export const originOf = (record: StoredRecord, rules: Rules): z.input<typeof Origin> => {
  const [first] = record ?? [];
  const ruleId = first?.rule_id;
  return {
    how: first?.type === "manual" ? "manual" : ruleId === undefined ? "automatic" : "rule",
    rule: ruleId === undefined ? null : (rules.get(ruleId) ?? { id: ruleId, description: null }),
  };
};

/** The rules that records name, as far as they are there. */
export const readRules = async (table: Table, project: number, records: readonly StoredRecord[]): Promise<Rules> => {
  const ids = new Set(records.flatMap((record) => record?.flatMap(({ rule_id }) => rule_id ?? []) ?? []));
  const keys = [...ids].map((id) => ({ project, id }));
  const rules = keys.length === 0 ? [] : await getMany(table, GroupingRules, keys);
  return new Map(rules.map(({ id, description }) => [id, { id, description }]));
};

/** Frames that one answer shows. */
const MOST_FRAMES = 100;

/** The stored frames that records name, as many as an answer shows. */
export const readFrames = async (
  table: Table,
  project: number,
  records: readonly StoredRecord[],
): Promise<z.input<typeof StackFrameForm>[]> => {
  const rawIds = new Set(records.flatMap((record) => record?.flatMap(({ raw_id }) => raw_id ?? []) ?? []));
  return stackFrameForms(table, await stackFramesNamed(table, project, [...rawIds].slice(0, MOST_FRAMES)));
};
