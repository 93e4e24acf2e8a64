import { gunzipSync, gzipSync } from "node:zlib";
import { serve } from "../../../functions/capture/serve.ts";
import type { World } from "../../../lib/app/world.ts";
import type { HttpRequest } from "../../../lib/http/request.ts";
import { aRequest } from "../../support/samples/capture-requests.ts";
import { captureWorld, NOW, TOKEN } from "../../support/worlds/capture-world.ts";
import { corpus } from "../corpus.ts";
import { median, type Part } from "../figures.ts";

const EVENTS_PER_REQUEST = 100;
const REQUESTS = 40;
const ROUNDS = 15;
const WARM_UP_ROUNDS = 5;
const DAY_MS = 86_400_000;

/** The whole handler, its ports in memory, against what nobody can leave out: unpacking and parsing the same bytes. */
export const captureRatio: Part = {
  name: "capture.ratio_to_decode",
  seconds: 20,
  measures: ["functions/capture", "lib/http", "lib/intake"],
  async run() {
    const withUuids = await measure(true);
    const without = await measure(false);
    const figure = (name: string, { ratio, eventsPerSecond }: Measured, what: string) => ({
      name,
      value: ratio,
      unit: "ratio",
      baseline: `gunzip + JSON.parse of the same bytes, ${EVENTS_PER_REQUEST} events a request ${what}, one core (${Math.round(eventsPerSecond)} events/s); at least 0.5`,
    });
    return [
      figure("capture.ratio_to_decode", withUuids, "with uuids"),
      figure("capture.ratio_to_decode_without_uuids", without, "without uuids"),
    ];
  },
};

interface Measured {
  readonly ratio: number;
  readonly eventsPerSecond: number;
}

const measure = async (uuids: boolean): Promise<Measured> => {
  const requests = bodies(uuids).map((body) => aRequest(body, { headers: { "content-encoding": "gzip" } }));
  const world = discardingWorld();
  const rounds: { bare: number; served: number }[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const measured = { bare: 0, served: 0 };
    // Request by request in turn, so that whatever else the machine does falls on both alike.
    for (const request of requests) {
      measured.bare += await timed(() => decode(request));
      measured.served += await timed(() => serveOne(request, world));
    }
    if (round >= WARM_UP_ROUNDS) rounds.push(measured);
  }
  const served = median(rounds.map((round) => round.served));
  return {
    ratio: median(rounds.map((round) => round.bare / round.served)),
    eventsPerSecond: (REQUESTS * EVENTS_PER_REQUEST * 1000) / served,
  };
};

const bodies = (uuids: boolean): readonly Buffer[] => {
  const events = [...corpus({ seed: 1, events: REQUESTS * EVENTS_PER_REQUEST, from: NOW - DAY_MS, to: NOW, uuids })];
  return Array.from({ length: REQUESTS }, (_, index) => {
    const batch = events.slice(index * EVENTS_PER_REQUEST, (index + 1) * EVENTS_PER_REQUEST);
    return gzipSync(JSON.stringify({ api_key: TOKEN, batch, sent_at: new Date(NOW).toISOString() }));
  });
};

/** A queue that confirms and forgets, so that only the handler's own work is measured. */
const discardingWorld = (): World => {
  const { world } = captureWorld();
  return Object.create(world, { queues: { value: { send: async () => [] } }, log: { value: { line: () => undefined } } });
};

const decode = ({ body }: HttpRequest): number => {
  const parsed: { batch: unknown[] } = JSON.parse(gunzipSync(body).toString());
  return parsed.batch.length;
};

const serveOne = async (request: HttpRequest, world: World): Promise<number> => {
  const reply = await serve(request, world);
  if (reply.status !== 200) throw new Error(`status ${reply.status}: ${String(reply.body)}`);
  return reply.status;
};

const timed = async (work: () => number | Promise<number>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
