import type { World } from "../../../lib/app/world.ts";
import { writtenVersion } from "../../../lib/core/formats.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { rememberedPersonIds } from "../../../lib/event/identity.ts";
import { type CaptureMessage, MESSAGE_FORMAT } from "../../../lib/event/message.ts";
import { readGroupTypes } from "../../../lib/lake/group-types.ts";
import { NO_TYPES, typeLearner } from "../../../lib/lake/learn-types.ts";
import { PROPERTY_OWNERS, type PropertyOwner, type PropertyType, typeOfEvidence } from "../../../lib/lake/property-types.ts";
import { buildRows } from "../../../lib/lake/rows.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { columns } from "../command.ts";
import type { AcceptedEvent } from "./accept-record.ts";
import { verdictOf } from "./batches.ts";
import type { OpenFile } from "./open-file.ts";
import { whole } from "./progress-line.ts";

/** What a file's first records would become. */
export interface Preview {
  readonly file: string;
  readonly form: string;
  readonly read: number;
  readonly events: number;
  readonly left_out: number;
  /** The first and the last time of these events. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: readonly PreviewRow[];
  readonly types: readonly { readonly of: PropertyOwner; readonly name: string; readonly type: PropertyType }[];
  /** How many records each reason refuses, and the first of their lines. */
  readonly refused: readonly { readonly reason: string; readonly count: number; readonly line: number }[];
}

interface PreviewRow {
  readonly timestamp: string;
  readonly event: string;
  readonly distinct_id: string;
  readonly uuid: string;
  /** Stored as history, which is not billed; false where the event is younger than two days. */
  readonly historical: boolean;
  readonly properties: unknown;
}

const LOOKED_AT = 1_000;
const ROWS_SHOWN = 5;

/** Reads the first records of a file and makes of them what ingest would, writing nothing. */
export const previewFile = async (
  file: OpenFile,
  { world, project, received }: { readonly world: World; readonly project: Project; readonly received: bigint },
): Promise<Preview> => {
  const accepted: AcceptedEvent[] = [];
  const refused = new Map<string, { count: number; readonly line: number }>();
  let read = 0;
  let leftOut = 0;
  for await (const records of file.records({ offset: 0, line: 0 })) {
    for (const record of records.slice(0, LOOKED_AT - read)) {
      read += 1;
      const verdict = verdictOf(record, received);
      if (verdict.kind === "event") accepted.push(verdict);
      else if (verdict.kind === "left out") leftOut += 1;
      else {
        const known = refused.get(verdict.reason) ?? { count: 0, line: record.line };
        known.count += 1;
        refused.set(verdict.reason, known);
      }
    }
    if (read >= LOOKED_AT) break;
  }
  const types = typeLearner(NO_TYPES);
  const groupTypes = await readGroupTypes(world.table, project.id);
  const events = accepted.map(({ event }, position) => ({ position, event }));
  const { rows, changes } = buildRows(
    messageOf(project, received, accepted.length),
    events,
    { project: project.id, groupTypes, personId: rememberedPersonIds(project.id) },
    types,
  );
  const learnt = types.learnt(changes);
  const times = rows.map(({ timestamp }) => timestamp).toSorted((a, b) => (a < b ? -1 : 1));
  return {
    file: file.source.name,
    form: file.form,
    read,
    events: accepted.length,
    left_out: leftOut,
    from: isoOf(times[0]),
    to: isoOf(times.at(-1)),
    rows: rows.slice(0, ROWS_SHOWN).map(shownRow),
    types: PROPERTY_OWNERS.flatMap((of) =>
      [...(learnt?.[of] ?? [])].map(([name, evidence]) => ({ of, name, type: typeOfEvidence(evidence) })),
    ),
    refused: [...refused].map(([reason, { count, line }]) => ({ reason, count, line })),
  };
};

const messageOf = (project: Project, received: bigint, events: number): CaptureMessage => ({
  v: writtenVersion(MESSAGE_FORMAT),
  project: project.id,
  organization: project.organization_id,
  request: "",
  received: String(received),
  sentAt: null,
  historical: true,
  payload: "events",
  engage: false,
  first: 0,
  events,
  decodedBytes: 0,
  body: { encoding: "none", inline: "" },
});

const MICROS_PER_MS = 1000n;

const isoOf = (micros: bigint | undefined): string | null =>
  micros === undefined ? null : new Date(Number(micros / MICROS_PER_MS)).toISOString();

const shownRow = (row: EventRow): PreviewRow => ({
  timestamp: isoOf(row.timestamp) ?? "",
  event: row.event,
  distinct_id: row.distinct_id,
  uuid: row.uuid,
  historical: row.historical,
  properties: JSON.parse(row.properties),
});

const SHOWN_CHARACTERS = 100;
const TYPES_SHOWN = 40;

/** A preview for people. */
export const previewLines = ({ file, form, read, events, left_out, from, to, rows, types, refused }: Preview): readonly string[] => {
  const refusals = refused.reduce((sum, { count }) => sum + count, 0);
  const leftOut = left_out > 0 ? `, ${whole(left_out)} left out` : "";
  return [
    `${file}: ${form}. Of the first ${whole(read)} records ${whole(events)} are events, ${whole(refusals)} are refused${leftOut}.`,
    ...(from === null ? [] : [`They are from ${from} to ${to}.`]),
    ...(rows.length === 0 ? [] : ["", ...columns(["timestamp", "event", "distinct_id", "uuid", "properties"], rows.map(cells))]),
    ...(types.length === 0
      ? []
      : [
          "",
          ...columns(
            ["property", "of", "type"],
            types.slice(0, TYPES_SHOWN).map(({ of, name, type }) => [name, of, type]),
          ),
          ...(types.length > TYPES_SHOWN ? [`and ${types.length - TYPES_SHOWN} more: --json lists them.`] : []),
        ]),
    ...(refused.length === 0
      ? []
      : [
          "",
          ...columns(
            ["refused", "first line", "because"],
            refused.map(({ reason, count, line }) => [String(count), String(line), reason]),
          ),
        ]),
    "",
  ];
};

const cells = ({ timestamp, event, distinct_id, uuid, properties }: PreviewRow): readonly string[] => {
  const text = JSON.stringify(properties);
  return [timestamp, event, distinct_id, uuid, text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text];
};
