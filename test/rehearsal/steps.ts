import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Standing } from "./boot.ts";
import { type Project, until } from "./journey.ts";
import type { Output } from "./template.ts";
import { withTraffic } from "./traffic.ts";

/** A part of a stage's life. Throws where it goes otherwise than it should; returns what happened, for people. */
export type Step = (standing: Standing, project: Project) => Promise<string>;

const LONGEST_MS = 120_000;

const BATCH_EVENTS = 13_000;
const NOTE_BYTES = 34;
const SAME_CHARACTERS = 700;

/** Events that come to 10 MB and to some 600 KB in gzip. */
const importedEvents = (): readonly string[] =>
  Array.from({ length: BATCH_EVENTS }, (_, at) =>
    JSON.stringify({
      event: "imported",
      distinct_id: `p${at % 100}`,
      timestamp: "2024-02-03T04:05:06Z",
      properties: { at, note: randomBytes(NOTE_BYTES).toString("base64"), text: "the same ".repeat(SAME_CHARACTERS / 9) },
    }),
  );

/** A batch is small on the wire and too large once the gateway unpacked it: the client halves it until it is taken, and all of it is stored. */
export const largeBatch: Step = async (standing, project) => {
  const sizes: number[] = [];
  let refused = 0;
  const send = async (events: readonly string[]): Promise<void> => {
    const body = gzipSync(`{"api_key":"${project.token}","historical_migration":true,"batch":[${events.join(",")}]}`);
    sizes.push(body.length);
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const reply = await fetch(`${standing.url("ingest")}/batch/`, { method: "POST", headers, body });
    await reply.body?.cancel();
    if (reply.status === 200) return;
    if (reply.status !== 413) throw new Error(`a batch of ${events.length} events was answered ${reply.status}`);
    refused += 1;
    await send(events.slice(0, events.length / 2));
    await send(events.slice(events.length / 2));
  };
  await send(importedEvents());
  const [kilobytes] = sizes.map((size) => Math.round(size / 1_000));
  if (refused === 0)
    throw new Error(`${BATCH_EVENTS} events in ${kilobytes} KB of gzip were taken at once: nothing unpacked them before the function`);
  await until(standing, project, "SELECT count() FROM events WHERE event = 'imported'", [BATCH_EVENTS], LONGEST_MS);
  return `${BATCH_EVENTS} events in ${kilobytes} KB of gzip were refused ${refused} times by what they unpack to, and stored in ${sizes.length - refused} parts`;
};

const ROUNDS = 20;
const LOOK_MS = 50;

/** Messages are put off, as they are where there is more than a function has time for: for more rounds than the service lets pass by itself. */
export const putOff: Step = async (standing, project) => {
  const live = standing.stage.of("AWS::Lambda::Function").find(({ id }) => id.startsWith("ingestlive"))?.ref ?? "";
  const deadline = performance.now() + LONGEST_MS;
  const body = JSON.stringify({ api_key: project.token, batch: [{ event: "put off", distinct_id: "p" }] });
  standing.hurried.add(live);
  try {
    await fetch(`${standing.url("ingest")}/batch/`, { method: "POST", body });
    while ((standing.lineage.longest.get(live) ?? 0) < ROUNDS) {
      if (standing.lineage.ended.has(live)) throw new Error(`the service ended the chain of ${live} and kept none of it`);
      if (performance.now() > deadline) throw new Error(`${live} puts nothing off`);
      await pause(LOOK_MS);
    }
  } finally {
    standing.hurried.delete(live);
  }
  await until(standing, project, "SELECT count() FROM events WHERE event = 'put off'", [1], LONGEST_MS);
  return `an event that was put off ${ROUNDS} times was stored`;
};

/** How long functions of both releases are at work after each stack. */
const BETWEEN_STACKS_MS = 1_000;

/** Another release comes over this one while clients go on, and goes again: none of them sees a server error, and every event is there. */
export const upgradeAndBack =
  (next: Output): Step =>
  async (standing, project) => {
    const before = standing.output;
    const between = async (): Promise<void> => {
      await pause(BETWEEN_STACKS_MS);
      await standing.tick("sweep");
    };
    const { events, calls, failures } = await withTraffic(standing, project, async () => {
      await standing.deploy(next, between);
      await between();
      await standing.deploy(before, between);
      await between();
    });
    if (failures.length > 0) throw new Error(`${failures.length} of ${calls} calls failed meanwhile: ${failures[0]}`);
    await until(standing, project, "SELECT count() FROM events WHERE event = 'seen'", [events], LONGEST_MS);
    return `the next release came and went under ${calls} calls: none failed, and all ${events} events are there`;
  };
