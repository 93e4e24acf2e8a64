import { ingest } from "../../../functions/ingest/ingest.ts";
import type { World } from "../../../lib/app/world.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { ingestWorld, NOW } from "../../support/worlds/ingest-world.ts";
import { corpus } from "../corpus.ts";
import { type Figure, median, type Part } from "../figures.ts";
import { slowTable } from "../slow-table.ts";

const PROJECTS = 1_000;
const EVENTS_EACH = 10;
const TABLE_MS = 5;
const OBJECT_MS = 30;
const ROUNDS = 3;
const IDENTIFY_SHARE = 0.1;
const DAY_MS = 86_400_000;
const BUDGET = { remainingMs: () => 600_000 };

/** One drain with a message of each of a thousand projects that the process knows nothing of, each call as slow as when deployed. */
export const ingestFleet: Part = {
  name: "ingest.thousand_projects",
  seconds: 15,
  measures: ["functions/ingest", "lib/lake"],
  async run(): Promise<readonly Figure[]> {
    const deliveries = oneEach();
    const seconds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) seconds.push(await oneDrain(deliveries));
    return [
      {
        name: "ingest.thousand_projects_s",
        value: median(seconds),
        unit: "s",
        baseline: `${PROJECTS} projects in one drain, ${TABLE_MS} ms a table call, ${OBJECT_MS} ms an object call, median of ${ROUNDS}; at most 5`,
      },
    ];
  },
};

const oneDrain = async (deliveries: readonly Delivery[]): Promise<number> => {
  const projects = Array.from({ length: PROJECTS }, (_, at) => at + 1);
  const { world, table } = await ingestWorld(projects, (made) => slowTable(made, () => after(TABLE_MS)));
  const began = performance.now();
  const { failed } = await ingest(deliveries, { ...world, objects: slowObjects(world.objects) }, BUDGET, "live");
  const seconds = (performance.now() - began) / 1_000;
  if (failed.length > 0 || (await readCommits(table, PROJECTS)).length !== 1) throw new Error("the drain was not ingested");
  return seconds;
};

const after = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const slowObjects = (objects: World["objects"]): World["objects"] => ({
  ...objects,
  get: (...given) => after(OBJECT_MS).then(() => objects.get(...given)),
  put: (...given) => after(OBJECT_MS).then(() => objects.put(...given)),
});

const oneEach = (): readonly Delivery[] =>
  Array.from({ length: PROJECTS }, (_, at) => {
    const batch = [...corpus({ seed: at, events: EVENTS_EACH, from: NOW - DAY_MS, to: NOW, identify: IDENTIFY_SHARE })].map((event) => ({
      ...event,
      properties: { ...event.properties, $groups: { company: `company-${at}` } },
    }));
    return deliveryOf(batch, { project: at + 1, organization: "bench", received: String(NOW * 1_000) });
  });
