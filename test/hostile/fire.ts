import { request as open } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Line } from "../fuzz/api/send.ts";
import type { Shot } from "./attack.ts";

/** A body is held back for as long as this, unless it is answered before. */
const HELD_MS = 3_000;

/** Sends a request, as often as it says. Returns the statuses that it was answered; of a body that was held back there may be none. */
export const fire = async (line: Line, origin: string, shot: Shot): Promise<readonly number[]> => {
  const body = Buffer.from(shot.body);
  const once = (): Promise<number | undefined> =>
    shot.isHeldBack ? heldBack(origin, shot, body) : line.send({ ...shot, body }).then(({ status }) => status);
  const statuses = await Promise.all(Array.from({ length: shot.copies ?? 1 }, once));
  return statuses.filter((status) => status !== undefined);
};

/** Sends all but the last byte, on a connection of its own. */
const heldBack = async (origin: string, { method, path, headers }: Shot, body: Buffer): Promise<number | undefined> => {
  const { hostname, port } = new URL(origin);
  const outgoing = open({ hostname, port, method, path, headers: { ...headers, "content-length": body.length }, agent: false });
  const answered = new Promise<number | undefined>((resolve) => {
    outgoing.once("response", ({ statusCode }) => resolve(statusCode));
    // A server that has answered need not read on.
    outgoing.once("error", () => resolve(undefined));
  });
  outgoing.write(body.subarray(0, -1));
  try {
    return await Promise.race([answered, pause(HELD_MS, undefined)]);
  } finally {
    outgoing.destroy();
  }
};
