import type { World } from "../../lib/app/world.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { ExceptionRow } from "../../lib/error-tracking/track.ts";
import type { EventRow } from "../../lib/event/event.ts";
import { rememberedPersonIds } from "../../lib/event/identity.ts";
import { importOfRequest } from "../../lib/event/imports.ts";
import { type CaptureMessage, decompress, type PlacedEvent, readEvents } from "../../lib/event/message.ts";
import { type GroupTypes, mentionedGroupTypes } from "../../lib/lake/group-types.ts";
import type { TypeLearner } from "../../lib/lake/learn-types.ts";
import type { RefusedRows } from "../../lib/lake/removals-in-force.ts";
import { buildRows, keptEvents, type MessageRows, type RowChange } from "../../lib/lake/rows.ts";
import { isolatePoisonEvents } from "./isolate-poison-events.ts";
import { learnNewTypes } from "./known-types.ts";
import { projectMemory } from "./project-memory.ts";
import { faultReason, type ReceivedMessage } from "./received-message.ts";

/** The events that one drain took for one project. */
export interface ProjectBatch {
  readonly project: number;
  /** Ids of the messages that were read completely. */
  readonly whole: string[];
  /** Ids of the messages to deliver again: nothing of them could be read, or not all. */
  readonly failed: string[];
  rows: EventRow[];
  readonly changes: Map<EventRow, RowChange>;
  /** Those of the rows that become events of issues. */
  exceptions: ExceptionRow[];
  readonly types: TypeLearner;
  /** The names of the imports that rows belong to. */
  readonly imports: Set<string>;
  /** Events that were read; of those, the ones that rules drop. */
  events: number;
  dropped: number;
}

/** From this delivery on a message's events are tried one by one, so that one that cannot be stored does not hold up the others. */
const ISOLATED_FROM_ATTEMPT = 3;

/** Reads a project's messages of a drain one after the other, which bounds the memory. */
export const readProject = async (project: number, received: readonly ReceivedMessage[], world: World): Promise<ProjectBatch> => {
  const batch = newBatch(project, world);
  const personId = rememberedPersonIds(project);
  for (const each of received) {
    const { id, message } = each;
    try {
      const events = readEvents(message, await readPayload(message, world));
      const groupTypes = await learnGroupTypes(events, project, world);
      const built = await rowsIn(each, events, { project, groupTypes, personId }, batch, world);
      const { changes, isWhole } = built;
      const rows = withoutRefused(built.rows, message, projectMemory(world, project).refused);
      for (const row of rows) {
        batch.rows.push(row);
        if (row.event === "$exception") batch.exceptions.push({ row, delivery: `${message.request}:${message.first}` });
      }
      if (message.importName !== undefined && rows.length > 0) batch.imports.add(message.importName);
      for (const row of rows) {
        const change = changes.get(row);
        if (change !== undefined) batch.changes.set(row, change);
      }
      (isWhole ? batch.whole : batch.failed).push(id);
      batch.events += message.events;
      batch.dropped += message.events - rows.length;
    } catch (fault) {
      batch.failed.push(id);
      world.log.line("error", "ingest.unread", { message: id, project, ...faultReason(fault) });
    }
  }
  return batch;
};

/** The rows without those of erased people and of undone imports, which are dropped like those that a quota drops. */
const withoutRefused = (
  rows: readonly EventRow[],
  { importName, request }: CaptureMessage,
  refused: RefusedRows | null,
): readonly EventRow[] => {
  if (refused === null) return rows;
  if (importName !== undefined && refused.isUndone(importOfRequest(request))) return [];
  return rows.filter(({ distinct_id }) => !refused.isErased(distinct_id));
};

const newBatch = (project: number, world: World): ProjectBatch => ({
  project,
  whole: [],
  failed: [],
  rows: [],
  changes: new Map(),
  exceptions: [],
  types: learnNewTypes(world, project),
  imports: new Set(),
  events: 0,
  dropped: 0,
});

/** The rows of a message, whose types are added to those of its project; not whole when events had to be left behind. */
const rowsIn = async (
  { id, message, attempts }: ReceivedMessage,
  events: readonly PlacedEvent[],
  context: Parameters<typeof buildRows>[2],
  { types }: ProjectBatch,
  world: World,
): Promise<Omit<MessageRows, "dropped"> & { readonly isWhole: boolean }> => {
  if (attempts < ISOLATED_FROM_ATTEMPT) return { ...buildRows(message, events, context, types), isWhole: true };
  const { stored, poisonEvents, fault } = await isolatePoisonEvents(message, events, context, world.segments);
  if (poisonEvents.length > 0) {
    const { project } = context;
    world.log.line("error", "ingest.culprits", { message: id, project, attempts, positions: poisonEvents.join(), ...faultReason(fault) });
  }
  return { ...keptEvents(stored, types), isWhole: poisonEvents.length === 0 };
};

const learnGroupTypes = async (events: readonly PlacedEvent[], project: number, world: World): Promise<GroupTypes> => {
  return projectMemory(world, project).groupTypes(mentionedGroupTypes(events));
};

const readPayload = async ({ body }: CaptureMessage, world: World): Promise<Uint8Array> => {
  if ("inline" in body) return decompress(body.encoding, Buffer.from(body.inline, "base64"));
  const bytes = await world.objects.get(body.key);
  if (bytes === undefined) throw new Defect(`the events ${body.key} are missing`);
  return decompress(body.encoding, bytes);
};
