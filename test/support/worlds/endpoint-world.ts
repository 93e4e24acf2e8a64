import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { ingestLive } from "../../../functions/ingest/consumers.ts";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { jobs } from "../../../functions/jobs/consumer.ts";
import { dispatch } from "../../../functions/jobs/dispatch.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { makeDueTables } from "../../../lib/endpoints/make-due-tables.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { withoutDownloads } from "../no-downloads.ts";
import { deliveryOf } from "../samples/capture-messages.ts";
import { aHousehold, aPersonalKey, apiWorld, ask } from "./api-world.ts";

/** An event as it comes: its time is also the moment at which it is received. */
export interface CameEvent {
  readonly event: string;
  readonly distinct_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly properties?: Readonly<Record<string, unknown>>;
}

const BASE = "/api/projects/1/endpoints/";

/** A project with endpoints, events that come when a test says so, a clock that stands, and a worker that works when it is told. */
export const endpointWorld = async (objects: Objects, engine: Engine) => {
  const config = readConfig((field) => (field === "throttleScale" ? "100000" : undefined));
  const { world, time, log, sent, calls } = apiWorld({ objects: withoutDownloads(objects), engine, config, segments: openSegments });
  const { key, organization, user } = await aHousehold(world, 1);
  return {
    world,
    time,
    log,
    calls,
    organization,
    key,
    otherKey: await aPersonalKey(world, user, ["*"]),
    call: (method: string, path: string, body?: object) =>
      ask(endpoints, world, method, `${BASE}${path}`, { key, ...(body !== undefined && { body }) }),
    run: (name: string, body: object) => ask(endpointRuns, world, "POST", `${BASE}${name}/run/`, { key, body }),
    async send(events: readonly CameEvent[]): Promise<void> {
      const { failed } = await asFunction(ingestLive, () => ingest([deliveryOfAll(events)], world, { remainingMs: () => 60_000 }, "live"));
      if (failed.length > 0) throw new Error("the events were not stored");
    },
    /** All tables that are due, and all that the worker is asked for. */
    async work(): Promise<void> {
      await makeDueTables(world, { remainingMs: () => 900_000 });
      for (let message = sent.shift(); message !== undefined; message = sent.shift())
        if (message.queue === "jobs")
          await asFunction(jobs, () =>
            dispatch(world, POLICIES.local, { id: "1", body: message.body, attempts: 1 }, { remainingMs: () => 900_000 }),
          );
    },
  };
};

let events = 0;

const deliveryOfAll = (batch: readonly CameEvent[]) => {
  const came = batch.map(({ event, distinct_id, at, properties = {} }) => {
    events += 1;
    const uuid = `00000000-0000-7000-8000-${String(events).padStart(12, "0")}`;
    return { event, distinct_id, timestamp: new Date(at).toISOString(), uuid, properties };
  });
  return deliveryOf(came, { received: `${Math.max(...batch.map(({ at }) => at))}000` });
};
