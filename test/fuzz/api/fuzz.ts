import { type Platform, startPlatform } from "../../../infra/local/platform.ts";
import { type Random, randomOf } from "../../simulation/random.ts";
import { type Description, readDescription } from "./description.ts";
import { faultOf } from "./judge.ts";
import { newPool, type Pool } from "./pool.ts";
import { type FuzzRequest, requestOf, type Sender } from "./request.ts";
import { type Answered, lineTo } from "./send.ts";
import { aRichTenant } from "./tenants.ts";

export interface ApiFuzz {
  readonly requests: number;
  readonly seed: number;
  readonly dataDir: string;
  /** Told of the first request of each kind of fault. */
  blame(fault: string): void;
  /** Told after some requests how many are left. */
  left?(requests: number): void;
}

export interface Fuzzed {
  readonly statuses: ReadonlyMap<number, number>;
  /** How often each kind of fault was met. */
  readonly faults: ReadonlyMap<string, number>;
}

const LANES = 6;
/** Requests change and delete what they are about, so others are begun with. */
const REQUESTS_A_ROUND = 1_500;

/** Sends requests made of nothing but the API's description to a platform of its own, and holds every answer to it. */
export const fuzzApi = async ({ requests, seed, dataDir, blame, left: tellLeft }: ApiFuzz): Promise<Fuzzed> => {
  const platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir, empty: true });
  const line = lineTo(platform.baseUrl);
  const [statuses, faults] = [new Map<number, number>(), new Map<string, number>()];
  const random = randomOf(seed);
  let left = requests;
  const lane = async (round: Round, until: number): Promise<void> => {
    while (left > until) {
      left -= 1;
      const sending = round.sender;
      const request = next(round, await sending, random);
      const answered = await line.send(request).catch(String);
      const fault = typeof answered === "string" ? answered : faultOf(round.description, request, answered);
      if (typeof answered !== "string") {
        statuses.set(answered.status, (statuses.get(answered.status) ?? 0) + 1);
        if (answered.status < 300) learn(round, request, answered);
        if (isLost(request, answered) && round.sender === sending) round.sender = newSender(platform);
      }
      if (fault === undefined) continue;
      const kind = `${request.method} ${request.operation.path}: ${fault}`;
      if (!faults.has(kind)) blame(`${kind}\n${shown(request, answered)}`);
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
    }
  };
  try {
    while (left > 0) {
      const round = await newRound(platform);
      const until = Math.max(0, left - REQUESTS_A_ROUND);
      await Promise.all(Array.from({ length: LANES }, () => lane(round, until)));
      await round.sender;
      tellLeft?.(left);
    }
  } finally {
    line.close();
    await platform.stop();
  }
  return { statuses, faults };
};

interface Round {
  readonly description: Description;
  readonly pool: Pool;
  /** Whoever sends the next request: somebody else once these have deleted their own key or organization. */
  sender: Promise<Sender>;
}

const newRound = async (platform: Platform): Promise<Round> => {
  const description = readDescription(await (await fetch(`${platform.baseUrl}/api/schema/`)).text());
  return { description, sender: newSender(platform), pool: newPool() };
};

let senders = 0;

const newSender = async (platform: Platform): Promise<Sender> => {
  senders += 1;
  const number = senders;
  const tenant = await aRichTenant(platform, `fuzz-${number}`);
  return { tenant, stranger: await aRichTenant(platform, `other-${number}`) };
};

/** Whether the sender's own key opens nothing any more, or its organization is gone. */
const isLost = ({ isAuthorized, method, operation }: FuzzRequest, { status }: Answered): boolean =>
  isAuthorized && (status === 401 || (method === "DELETE" && status < 300 && operation.path === "/api/organizations/{id}"));

const next = ({ description, pool }: Round, sender: Sender, random: Random): FuzzRequest => {
  const { operations, schemas } = description;
  const making = operations.filter(({ method, path }) => method === "POST" && !path.endsWith("}"));
  const chosen = random.chance(0.25) ? making : operations;
  const operation = chosen[random.int(0, chosen.length - 1)];
  if (operation === undefined) throw new Error("the description holds no operation");
  return requestOf(operation, { random, pool, schemas }, sender);
};

const learn = ({ pool }: Round, { operation }: FuzzRequest, { mediaType, body }: Answered): void => {
  if (mediaType === "application/json" && body !== "" && body.length < 200_000) pool.learn(operation.path, JSON.parse(body));
};

const SHOWN = 1_500;

const shown = ({ method, path, headers, body }: FuzzRequest, answered: Answered | string): string => {
  const lines = [`${method} ${path.slice(0, SHOWN)}`, JSON.stringify({ ...headers, authorization: headers.authorization?.slice(0, 11) })];
  const answer = typeof answered === "string" ? answered : `${answered.status} ${answered.mediaType} ${answered.body.slice(0, SHOWN)}`;
  return [...lines, Buffer.from(body).toString().slice(0, SHOWN), `→ ${answer}`, ""].map((text) => `  ${text}`).join("\n");
};
