import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../../../lib/app/world.ts";
import { writtenVersion } from "../../../lib/core/formats.ts";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { importIdOf, requestOfImport } from "../../../lib/event/imports.ts";
import { MESSAGE_FORMAT } from "../../../lib/event/message.ts";
import type { EventResource } from "../../../lib/event/quota-resources.ts";
import { encodeWhole, type MessageHeader } from "../../../lib/intake/messages.ts";
import { pointerKey } from "../../../lib/lake/paths.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { UserError } from "../../local/user-error.ts";
import type { Batch } from "./batches.ts";

/** Whose events are sent, as which import, and when it began. */
export interface Lane {
  readonly world: Pick<World, "objects" | "queues" | "queueDepths">;
  readonly project: Pick<Project, "id" | "organization_id" | "api_token">;
  readonly importName: string;
  readonly received: bigint;
  /** Resources whose quota is used up now: what is younger than two days counts as live, and is dropped as that is. */
  readonly limited: () => Promise<readonly EventResource[]>;
  /** Somebody works off the queue, so that it is worth waiting for. */
  readonly isDrained: boolean;
}

/** A lane that holds this many messages is full: a million events and more, which a laptop works off in a minute. */
const MAX_WAITING = 128;
const LOOK_EVERY_MS = 250;
/** So many batches are sent between two looks at the lane. */
const BATCHES_A_LOOK = 16;

/** Waits while the lane is full, so that neither its queue nor the disk grows with the file. */
export const openPressure = ({ world, isDrained }: Lane): (() => Promise<void>) => {
  let unlooked = BATCHES_A_LOOK;
  return async () => {
    unlooked += 1;
    if (!isDrained || unlooked <= BATCHES_A_LOOK) return;
    unlooked = 0;
    for (;;) {
      const { waiting, inFlight } = await world.queueDepths.read("historical");
      if (waiting + inFlight < MAX_WAITING) return;
      await pause(LOOK_EVERY_MS);
    }
  };
};

/** Tries after the first, with these pauses: a store that is away for longer stops the command, which then goes on where it was. */
const PAUSES_MS = [250, 1_000, 4_000, 15_000] as const;

/** Puts a batch into the lane of imports, as capture does with a flagged request. Throws a `UserError` where queue or store take nothing for long. */
export const sendBatch = async (lane: Lane, { text, events, first, digest }: Batch): Promise<void> => {
  if (text === undefined) return;
  const { world, project, importName, received } = lane;
  const request = requestOfImport(importIdOf(importName), digest);
  const limited = await lane.limited();
  const header: MessageHeader = {
    v: writtenVersion(MESSAGE_FORMAT),
    project: project.id,
    organization: project.organization_id,
    request,
    received: String(received),
    sentAt: null,
    historical: true,
    engage: false,
    importName,
    ...(limited.length > 0 ? { limited } : {}),
  };
  // Sent again, a batch is the same object: its key follows from what is in it.
  const whole = { text: requestOf(project.api_token, importName, text), events, first: first % MOST_PLACES };
  const { messages, object } = await encodeWhole(header, whole, pointerKey(request));
  for (const wait of [...PAUSES_MS, undefined]) {
    const fault = await faultOf(async () => {
      if (object !== undefined) await world.objects.put(object.key, object.bytes);
      const unsent = await world.queues.send(
        "historical",
        messages.map((body, index) => ({ id: String(index), body })),
      );
      if (unsent.length > 0) throw new Error("the queue did not confirm it");
    });
    if (fault === undefined) return;
    if (wait === undefined)
      throw new UserError(`The lane of imports takes nothing (${fault}). Give the same command again: it goes on where it stopped.`);
    await pause(wait);
  }
};

/** The body that a client would have sent: whoever looks through stored requests finds whose it is by the token at its beginning. */
const requestOf = (api_key: string, import_id: string, list: Buffer): Buffer => {
  const around = JSON.stringify({ api_key, import_id, historical_migration: true, batch: [] });
  return Buffer.concat([Buffer.from(around.slice(0, -"[]}".length)), list, Buffer.from("}")]);
};

/** A row keeps its place as a 32-bit integer. */
const MOST_PLACES = 2 ** 31 - 1_000_000;

const faultOf = async (send: () => Promise<void>): Promise<string | undefined> => {
  try {
    await send();
    return undefined;
  } catch (fault) {
    return thrownMessage(fault);
  }
};
