import { randomBytes } from "node:crypto";
import type { World } from "../../../lib/app/world.ts";
import { Defect } from "../../../lib/core/unreachable.ts";
import { type CaptureMessage, decodeMessage, decompress, type PlacedEvent, readEvents } from "../../../lib/event/message.ts";
import { puttingToken } from "../../../lib/keys/project-tokens.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { type CountName, gatheredCounts } from "../../../lib/ports/counts.ts";
import type { Outgoing, QueueName } from "../../../lib/ports/queues.ts";
import type { Item, Key, Table, Write } from "../../../lib/ports/table.ts";
import type { QuotaResource } from "../../../lib/usage/identifiers.ts";
import { setMarkersWrite } from "../../../lib/usage/project-quotas.ts";
import { memoryTokenKeys } from "../memory-token-keys.ts";
import { noInvocations } from "../no-invocations.ts";
import { noModel } from "../no-model.ts";
import { noReaders } from "../no-readers.ts";
import { unwatchedQueues } from "../unwatched-queues.ts";

export const TOKEN = "phc_test";
export const PROJECT = 7;
export const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";
/** 2026-11-20T12:00:00Z. */
export const NOW = Date.UTC(2026, 10, 20, 12);

export interface CaptureWorld {
  readonly world: World;
  /** What was queued, in order. */
  readonly queued: readonly { readonly queue: QueueName; readonly text: string; readonly message: CaptureMessage }[];
  readonly objects: ReadonlyMap<string, Uint8Array>;
  readonly lines: readonly { readonly level: string; readonly event: string; readonly fields: Readonly<Record<string, unknown>> }[];
  /** What was put into the metrics, put by put. */
  readonly puts: readonly (readonly [CountName, number])[];
  /** How often the table was read. */
  reads(): number;
  /** What ingest would get of everything queued. */
  events(): readonly PlacedEvent[];
  /** A table that fails, a queue that confirms nothing, an object store or metrics that fail. */
  break(part: "table" | "queues" | "objects" | "counts" | "nothing"): void;
  setNow(now: number): void;
  limit(resource: QuotaResource, until: number): void;
  addProject(token: string, project: number, state?: "active" | "removed"): void;
}

/** The parts of a world that capture touches, in memory: the smallest ports that keep their promises. */
export const captureWorld = (options: { readonly unknownToken?: "enforce" | "off" } = {}): CaptureWorld => {
  const items = new Map<string, Item>();
  const objects = new Map<string, Uint8Array>();
  const queued: { queue: QueueName; text: string; message: CaptureMessage }[] = [];
  const lines: { level: string; event: string; fields: Readonly<Record<string, unknown>> }[] = [];
  const puts: (readonly [CountName, number])[] = [];
  const clock = { now: () => now };
  const log: World["log"] = { line: (level, event, fields) => void lines.push({ level, event, fields }) };
  let now = NOW;
  let reads = 0;
  let ulids = 0;
  let broken: string = "nothing";
  const store = (write: Write): void => {
    if (write.kind === "put") items.set(nameOf(write.item), write.item);
    if (write.kind === "update") items.set(nameOf(write.key), { ...items.get(nameOf(write.key)), ...write.key, ...write.change.set });
  };
  const table: Table = {
    async get(key) {
      reads++;
      if (broken === "table") throw new Error("the table does not answer");
      return items.get(nameOf(key));
    },
    getMany: absent,
    put: absent,
    update: absent,
    remove: absent,
    query: absent,
    transact: absent,
  };
  const world: World = {
    table,
    queues: {
      async send(queue, messages: readonly Outgoing[]) {
        if (broken === "queues") return messages.map((message) => message.id);
        for (const { body } of messages) queued.push({ queue, text: body, message: decodeMessage(body) });
        return [];
      },
    },
    objects: {
      async put(key, bytes) {
        if (broken === "objects") throw new Error("the object store does not answer");
        objects.set(key, bytes);
      },
      putFile: absent,
      offer: absent,
      address: absent,
      admit: absent,
      get: async (key) => objects.get(key),
      getRange: absent,
      list: absent,
      remove: absent,
      localPath: () => undefined,
      uri: absent,
    },
    get engine(): never {
      throw new Defect("capture has no engine");
    },
    get segments(): never {
      throw new Defect("capture writes no segments");
    },
    mail: { send: () => Promise.reject(new Error("nobody is written to here")) },
    dns: { texts: async () => [] },
    ...noReaders,
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...unwatchedQueues,
    ...noInvocations,
    counts: gatheredCounts(
      async (amounts) => {
        if (broken === "counts") throw new Error("the metrics do not answer");
        puts.push(...amounts);
      },
      clock,
      log,
    ),
    clock,
    ids: { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: (bytes) => randomBytes(bytes) },
    log,
    config: { ...readConfig(() => undefined), unknownToken: options.unknownToken ?? "enforce" },
  };
  const addProject = (token: string, project: number, state: "active" | "removed" = "active"): void =>
    store(puttingToken(token, { project_id: project, organization_id: ORGANIZATION, state }));
  addProject(TOKEN, PROJECT);
  return {
    world,
    queued,
    objects,
    lines,
    puts,
    reads: () => reads,
    events: () => queued.flatMap(({ message }) => readEvents(message, payloadOf(message, objects))),
    break: (part) => {
      broken = part;
    },
    setNow: (time) => {
      now = time;
    },
    limit: (resource, until) => store(setMarkersWrite(PROJECT, { [resource]: until })),
    addProject,
  };
};

const payloadOf = ({ body }: CaptureMessage, objects: ReadonlyMap<string, Uint8Array>): Uint8Array => {
  if ("inline" in body) return decompress(body.encoding, Buffer.from(body.inline, "base64"));
  return decompress(body.encoding, objects.get(body.key) ?? new Uint8Array());
};

const nameOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
const absent = (): never => {
  throw new Defect("capture does not use this");
};
