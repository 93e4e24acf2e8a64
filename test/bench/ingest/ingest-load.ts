import { gzipSync } from "node:zlib";
import * as z from "zod";
import { corpus } from "../corpus.ts";
import { CONNECTIONS, post } from "../poster.ts";

/** What the sending process is told: a burst of requests as an SDK makes them. */
const Burst = z.object({
  url: z.string(),
  token: z.string(),
  seed: z.number(),
  events: z.number(),
  perRequest: z.number(),
  from: z.number(),
  to: z.number(),
  historical: z.boolean(),
});
export type Burst = z.output<typeof Burst>;

/** A tenth of the events identify someone and set properties. */
const IDENTIFY_SHARE = 0.1;

/** All bodies are made before the first is sent, so that making them is not measured. */
const bodiesOf = ({ token, seed, events, perRequest, from, to, historical }: Burst): readonly Buffer[] => {
  const all = [...corpus({ seed, events, from, to, identify: IDENTIFY_SHARE })];
  return Array.from({ length: Math.ceil(events / perRequest) }, (_, index) => {
    const batch = all.slice(index * perRequest, (index + 1) * perRequest);
    const envelope = { api_key: token, batch, sent_at: new Date(to).toISOString(), ...(historical ? { historical_migration: true } : {}) };
    return gzipSync(JSON.stringify(envelope));
  });
};

const sendAll = async (burst: Burst, bodies: readonly Buffer[]): Promise<void> => {
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) await post(`${burst.url}/batch/`, body);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
};

/** Makes the bodies of a burst, says `ready`, sends them when told to, and says `sent`. */
let prepared: { readonly burst: Burst; readonly bodies: readonly Buffer[] } | undefined;
process.on("message", async (message) => {
  if (message === "go" && prepared) {
    await sendAll(prepared.burst, prepared.bodies);
    process.send?.("sent");
    return;
  }
  const burst = Burst.parse(message);
  prepared = { burst, bodies: bodiesOf(burst) };
  process.send?.("ready");
});
