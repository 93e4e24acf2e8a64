import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { corpus } from "../corpus.ts";
import { post } from "../poster.ts";

const SteadyLoad = z.object({ url: z.string(), token: z.string(), perSecond: z.number() });
/** What the sending process is told, as JSON. */
export type SteadyLoad = z.output<typeof SteadyLoad>;

const REQUESTS_A_SECOND = 10;
const USERS = 500;

/** Posts events of this very moment, so many a second, until it is ended; says how many were taken, after each request. */
const { url, token, perSecond } = SteadyLoad.parse(JSON.parse(process.argv[2] ?? ""));
const perRequest = perSecond / REQUESTS_A_SECOND;
const everyMs = 1_000 / REQUESTS_A_SECOND;
const began = performance.now();
for (let request = 0; ; request += 1) {
  await pause(Math.max(0, began + request * everyMs - performance.now()));
  const to = Date.now();
  const batch = [...corpus({ seed: request, events: perRequest, from: to - everyMs, to, users: USERS })];
  void post(`${url}/batch/`, gzipSync(JSON.stringify({ api_key: token, batch }))).then(() => process.send?.(perRequest));
}
