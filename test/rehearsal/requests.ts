import { type Description, readDescription } from "../fuzz/api/description.ts";
import { newPool, type Pool } from "../fuzz/api/pool.ts";
import { requestOf, type Sender } from "../fuzz/api/request.ts";
import { type Answered, lineTo } from "../fuzz/api/send.ts";
import { fill, richDocument } from "../fuzz/api/tenants.ts";
import { type Random, randomOf } from "../simulation/random.ts";
import { type ATenant, tenantOf } from "../support/processes/platform.ts";
import type { Standing } from "./boot.ts";
import { admin } from "./operator.ts";

/** What became of requests. */
export interface Requested {
  readonly statuses: ReadonlyMap<number, number>;
  /** Ids of the operations that were asked for. */
  readonly operations: ReadonlySet<string>;
  /** Answers of 500 and more, each as a line. */
  readonly failures: readonly string[];
}

const LANES = 4;
const SERVER_ERROR = 500;
const LONGEST_LEARNT = 200_000;

/** Sends requests that are made of nothing but the API's own description to both hosts of a standing stage. */
export const sendRequests = async (standing: Standing, requests: number, seed: number): Promise<Requested> => {
  const hosts = { ingest: new URL(standing.url("ingest")), management: new URL(standing.url("management")) };
  const lines = { ingest: lineTo(hosts.ingest.origin), management: lineTo(hosts.management.origin) };
  const description = readDescription(await (await fetch(`${hosts.management}/api/schema/`)).text());
  const [random, pool] = [randomOf(seed), newPool()];
  const [statuses, operations, failures] = [new Map<number, number>(), new Set<string>(), [] as string[]];
  let sender = newSender(standing, seed);
  let left = requests;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sending = sender;
      const request = nextRequest(description, await sending, random, pool);
      const host = request.operation.isCapture ? "ingest" : "management";
      const answered = await lines[host].send({ ...request, path: `${hosts[host].pathname}${request.path}` });
      statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
      operations.add(request.operation.id);
      if (answered.status >= SERVER_ERROR)
        failures.push(`${request.method} ${request.path.slice(0, 300)}: ${answered.status} ${answered.body}`);
      learn(pool, request.operation.path, answered);
      // Somebody else goes on where a request took the sender's own key or organization away.
      if (request.isAuthorized && answered.status === 401 && sender === sending) sender = newSender(standing, seed + left);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const line of Object.values(lines)) line.close();
  return { statuses, operations, failures };
};

const newSender = async (standing: Standing, number: number): Promise<Sender> => {
  const tenant = await newTenant(standing, `sender-${number}`);
  return { tenant, stranger: await newTenant(standing, `stranger-${number}`) };
};

const newTenant = async (standing: Standing, name: string): Promise<ATenant> => {
  const tenant = tenantOf(JSON.parse(await admin(standing, ["apply", "-"], JSON.stringify(richDocument(name)))));
  await fill(standing.url("ingest"), tenant.projectToken);
  return tenant;
};

const nextRequest = ({ operations, schemas }: Description, sender: Sender, random: Random, pool: Pool) => {
  const making = operations.filter(({ method, path }) => method === "POST" && !path.endsWith("}"));
  const chosen = random.chance(0.25) ? making : operations;
  const operation = chosen[random.int(0, chosen.length - 1)];
  if (operation === undefined) throw new Error("the description holds no operation");
  return requestOf(operation, { random, pool, schemas }, sender);
};

const learn = (pool: Pool, path: string, { status, mediaType, body }: Answered): void => {
  if (status < 300 && mediaType === "application/json" && body !== "" && body.length < LONGEST_LEARNT) pool.learn(path, JSON.parse(body));
};
