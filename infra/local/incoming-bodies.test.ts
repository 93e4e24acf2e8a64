import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { assemble } from "../../lib/app/assemble.ts";
import { rawGroup } from "../../lib/app/raw-group.ts";
import { settings } from "../../lib/aws/environment.ts";
import { lazySegments } from "../../lib/aws/lazy.ts";
import { keptLog } from "../../test/support/kept-log.ts";
import { HeldMessage } from "./body-turns.ts";
import { openIncomingBodies } from "./incoming-bodies.ts";
import { ARRIVAL, HELD, type HttpServer, startServer } from "./server.ts";

const MIB = 1024 * 1024;
/** Bytes that one body may have, and all of them. */
const MOST = 4 * MIB;
const ROOM = 8 * MIB;

let handed = 0;
/** Wants nothing of a body that begins with "no", and knows whoever begins with spaces. */
const gate = rawGroup({
  name: "gate",
  gateway: "management",
  uses: {},
  paths: ["/gate/"],
  bodyBytes: () => MOST,
  async judgeBeginning({ body }) {
    const beginning = Buffer.from(body.subarray(0, 2)).toString();
    if (beginning === "no") return { status: 401, headers: {}, body: "nobody" };
    return beginning === "  " ? "known" : "unknown";
  },
  async serve({ body }) {
    handed += 1;
    return { status: 200, headers: {}, body: String(body.byteLength) };
  },
});

let server: HttpServer | undefined;
beforeAll(async () => {
  server = await startServer([gate], "127.0.0.1", 0, ARRIVAL, { ...HELD, maxInFlightBytes: ROOM });
  server.open(assemble({}, lazySegments, keptLog(), settings({})));
});
afterAll(() => server?.stop());

const post = (body: string | Buffer) => fetch(`${server?.origin}/gate/`, { method: "POST", body });

/** A request that has sent so many bytes of a body of the most, and waits; its answer may come at any time. */
const begun = async (bytes: number, filled = " ") => {
  const made = request(`${server?.origin}/gate/`, { method: "POST", headers: { "content-length": MOST } });
  const answered = once(made, "response").then(async ([reply]) => ({ status: reply.statusCode, text: await text(reply) }));
  // Whoever goes away is answered nothing.
  answered.catch(() => undefined);
  await new Promise<void>((sent) => made.write(Buffer.alloc(bytes, filled), () => sent()));
  return { made, answered };
};

describe("bodies that come", () => {
  it("are answered by their beginning, where a group does", async () => {
    const reply = await post(Buffer.concat([Buffer.from("no"), Buffer.alloc(MOST - 2)]));
    expect([reply.status, await reply.text(), handed]).toEqual([401, "nobody", 0]);
    expect(await (await post(Buffer.alloc(MOST, " "))).text()).toBe(String(MOST));
  });

  it("come as long as there is room: then the oldest of them is told to come again, and an ordinary one goes on", async () => {
    const [oldest, newer] = [await begun(MOST - 1), await begun(MOST - 1)];
    expect(await oldest.answered).toMatchObject({ status: 503, text: expect.stringContaining("service_unavailable") });
    expect((await post("small")).status).toBe(200);
    newer.made.end(Buffer.alloc(1));
    expect(await newer.answered).toEqual({ status: 200, text: String(MOST) });
    expect((await post(Buffer.alloc(MOST, " "))).status).toBe(200);
  });

  it("of senders who are not known have a room of their own: a known one comes whole beside them", async () => {
    const known = await begun(MOST - 1);
    const unknown = await begun(MIB, "?");
    const [another, more] = [await begun(MIB / 2, "?"), begun(MOST - 1, "?")];
    expect(await Promise.race([unknown.answered, another.answered])).toMatchObject({ status: 503 });
    known.made.end(Buffer.alloc(1));
    expect(await known.answered).toEqual({ status: 200, text: String(MOST) });
    for (const { made } of [unknown, another, await more]) made.destroy();
  });
});

/** A request whose body is there as fast as it is read. */
const atOnce = (bytes: number) => {
  let left = bytes / CHUNK;
  const body = new Readable({
    read() {
      this.push(left-- > 0 ? Buffer.alloc(CHUNK, 32) : null);
    },
  });
  return Object.assign(body, { headers: {}, socket: { remoteAddress: "127.0.0.1" }, hold: () => body.pause(), go: () => body.resume() });
};
const CHUNK = 64 * 1024;

describe("bodies that are all there at once", () => {
  /** Bytes that were read in each turn of the event loop in which some were, until all of so many bodies are there. */
  const turnsOf = async (count: number, bytes: number): Promise<readonly number[]> => {
    const bodies = openIncomingBodies();
    const perTurn: number[] = [0];
    let isOver = false;
    const turn = (): void => {
      perTurn.push(0);
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const many = Array.from({ length: count }, () => atOnce(bytes));
    const lengths = many.map(async (incoming) => {
      incoming.on("data", ({ byteLength }: Buffer) => perTurn.push((perTurn.pop() ?? 0) + byteLength)).pause();
      let length = 0;
      await bodies.read(
        incoming as never,
        MOST,
        async () => "known" as const,
        async (body) => {
          length = body.kind === "read" ? body.body.byteLength : 0;
        },
      );
      return length;
    });
    expect(await Promise.all(lengths)).toEqual(many.map(() => bytes));
    isOver = true;
    return perTurn.filter((read) => read > 0);
  };
  const most = (turns: readonly number[]): number => turns.reduce((all, read) => Math.max(all, read), 0);

  it("are read a megabyte of all in a turn, so that others are answered in between, and each comes whole", async () => {
    const bodies = 4;
    // Each body may be given one more piece in a turn that is full.
    expect(most(await turnsOf(bodies, MOST))).toBeLessThanOrEqual(MIB + bodies * CHUNK);
  });

  it("go on sixteen in a turn, however many wait", async () => {
    const [, ...later] = await turnsOf(40, MIB / 2);
    expect(most(later)).toBeLessThanOrEqual(MIB + 16 * CHUNK);
  });
});

describe("a body that waits", () => {
  it("leaves what comes of it to the socket", async () => {
    const bodies = openIncomingBodies();
    const { promise: judged, resolve: judge } = Promise.withResolvers<"known">();
    const { promise: asked, resolve: ask } = Promise.withResolvers<IncomingMessage>();
    const listening = createServer({ IncomingMessage: HeldMessage }, async (incoming, outgoing) => {
      const wait = async () => {
        ask(incoming);
        return judged;
      };
      await bodies.read(incoming, MOST, wait, async (body) => void outgoing.end(body.kind));
    }).listen(0, "127.0.0.1");
    await once(listening, "listening");
    const { port } = listening.address() as AddressInfo;
    const answered = fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: Buffer.alloc(MOST, " ") });
    const incoming = await asked;
    await pause(WAITED_MS);
    expect(incoming.readableLength).toBe(0);
    judge("known");
    expect(await (await answered).text()).toBe("read");
    listening.close();
  });
});
/** Time enough for a socket that is read to bring more. */
const WAITED_MS = 100;
