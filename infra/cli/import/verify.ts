import { setTimeout as pause } from "node:timers/promises";
import { parquetRead } from "hyparquet";
import type { World } from "../../../lib/app/world.ts";
import { importIdOf, importOfRequest } from "../../../lib/event/imports.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { skippedPlaces } from "../../../lib/lake/skipped-rows.ts";
import { countedDay } from "./counted-day.ts";
import { bufferOf, COMPRESSORS } from "./parquet-rows.ts";

const LOOK_EVERY_MS = 500;
/** The service of a queue only estimates: a lane is empty when it was seen to be so this often, one look after the other. */
const EMPTY_LOOKS = 3;

/** Waits until nothing is in the lane of imports and all that came by it is gathered, so that rows are files' rows, without copies. */
export const untilStored = async (
  world: Pick<World, "queueDepths" | "table" | "objects" | "clock">,
  project: number,
  told: (waiting: number) => void,
): Promise<{ readonly deadLetters: number }> => {
  for (let empty = 0; ; ) {
    const { waiting, inFlight, deadLetters } = await world.queueDepths.read("historical");
    told(waiting + inFlight);
    empty = waiting + inFlight === 0 ? empty + 1 : 0;
    if (empty >= EMPTY_LOOKS) {
      const pinned = await pin(world, project, null, { events: true, state: false });
      if (!pinned.waiting.some(({ lane }) => lane === "historical")) return { deadLetters };
    }
    await pause(LOOK_EVERY_MS);
  }
};

/** Rows of an import that the lake has, by the day under which they are counted: those whose staying copy it brought. */
export const storedByDay = async (
  world: Pick<World, "table" | "objects" | "clock">,
  project: number,
  importName: string,
): Promise<ReadonlyMap<number, number>> => {
  const { manifests } = await pin(world, project, null, { events: true, state: false });
  const importId = importIdOf(importName);
  const days = new Map<number, number>();
  for (const { files, loose } of manifests.values()) for (const file of [...files, ...loose]) await countFile(world, file, importId, days);
  return days;
};

const countFile = async (
  { objects }: Pick<World, "objects">,
  { key, bytes, skip }: FileFacts,
  importId: string,
  days: Map<number, number>,
): Promise<void> => {
  const skipped = new Set(skippedPlaces({ ...(skip && { skip }) }));
  const source = {
    bytes,
    read: async (from: number, to: number): Promise<Uint8Array> => (await objects.getRange(key, from, to)) ?? new Uint8Array(),
  };
  await parquetRead({
    file: bufferOf(source),
    columns: ["request", "timestamp"],
    compressors: COMPRESSORS,
    parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
    rowFormat: "object",
    onComplete(rows) {
      for (const [place, { request, timestamp }] of rows.entries()) {
        if (skipped.has(place) || typeof request !== "string" || typeof timestamp !== "bigint" || importOfRequest(request) !== importId)
          continue;
        const day = countedDay(utcDay(timestamp));
        days.set(day, (days.get(day) ?? 0) + 1);
      }
    },
  });
};
