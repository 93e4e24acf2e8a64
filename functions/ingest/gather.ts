import { Defect } from "../../lib/core/unreachable.ts";
import { type DeltaGatherer, gatherDeltas } from "../../lib/lake/deltas.ts";
import type { EventRow } from "../../lib/lake/event.ts";
import { addGroupTypes } from "../../lib/lake/group-events.ts";
import { type CaptureMessage, eventsOf } from "../../lib/lake/message.ts";
import { decompress } from "../../lib/lake/payload.ts";
import { rowsOf } from "../../lib/lake/rows.ts";
import { type TypeLearner, typeLearner } from "../../lib/lake/type-learner.ts";
import type { World } from "../../lib/world/world.ts";
import { knownTypes } from "./known-types.ts";
import { ownerOf } from "./owner.ts";
import { type ProjectMemory, projectMemory } from "./project-memory.ts";
import { type Received, reasonOf } from "./received.ts";

/** What one drain took for one project. */
export interface Taken {
  readonly project: number;
  /** Ids of the messages inside. */
  readonly messages: string[];
  readonly rows: EventRow[];
  readonly deltas: DeltaGatherer;
  readonly types: TypeLearner;
}

export interface Gathered {
  readonly projects: readonly Taken[];
  /** Messages to deliver again. */
  readonly failed: readonly string[];
  /** Events that were read; of those, the ones that rules drop, and the ones of removed or unknown projects. */
  readonly events: number;
  readonly dropped: number;
  readonly unowned: number;
}

/** Reads the messages of a drain one after the other, which bounds the memory, and sorts their rows by project. */
export const gather = async (messages: readonly Received[], world: World): Promise<Gathered> => {
  const projects = new Map<number, Taken>();
  const failed: string[] = [];
  let [events, dropped, unowned] = [0, 0, 0];
  for (const { id, message } of messages) {
    try {
      const project = await ownerOf(message, world);
      if (project === null) {
        unowned += message.events;
        continue;
      }
      const taken = projects.get(project) ?? newTaken(project, world);
      const found = await take(message, project, taken, world);
      projects.set(project, taken);
      taken.messages.push(id);
      events += message.events;
      dropped += message.events - found;
    } catch (fault) {
      failed.push(id);
      world.log.line("error", "ingest.unread", { message: id, project: message.project, ...reasonOf(fault) });
    }
  }
  return { projects: [...projects.values()], failed, events, dropped, unowned };
};

const newTaken = (project: number, world: World): Taken => ({
  project,
  messages: [],
  rows: [],
  deltas: gatherDeltas(),
  types: typeLearner(knownTypes(world, project)),
});

/** Adds a message's rows and deltas to those of its project; returns the number of rows. */
const take = async (message: CaptureMessage, project: number, taken: Taken, world: World): Promise<number> => {
  const events = eventsOf(message, await payloadOf(message, world));
  const types = new Set<string>();
  for (const { event } of events) addGroupTypes(event, types);
  const memory: ProjectMemory = projectMemory(world, project);
  const groupTypes = types.size === 0 ? [] : await memory.groupTypes(types);
  const { rows } = rowsOf(message, events, { project, groupTypes, personId: memory.personId }, taken.deltas, taken.types);
  for (const row of rows) taken.rows.push(row);
  return rows.length;
};

const payloadOf = async ({ body }: CaptureMessage, world: World): Promise<Uint8Array> => {
  if ("inline" in body) return decompress(body.encoding, Buffer.from(body.inline, "base64"));
  const bytes = await world.objects.get(body.key);
  if (bytes === undefined) throw new Defect(`the events ${body.key} are missing`);
  return decompress(body.encoding, bytes);
};
