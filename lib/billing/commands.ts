import { createHash } from "node:crypto";
import * as z from "zod";
import { jsonDigest } from "../core/canonical-json.ts";
import { pack, unpack } from "../core/pack.ts";
import { DAY_MS } from "../core/time.ts";
import { ApiError, conflict, standardError } from "../http/errors.ts";
import type { Ports } from "../ports/ports.ts";
import type { Write } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, putting } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";
import { untilWritten } from "../table/until-written.ts";

/** The parts of the world that billing works with. */
export type BillingParts = Pick<Ports, "table" | "objects" | "clock" | "ids">;

/** The writes that carry a command out, all or none, and its answer. No writes: there was nothing to do. */
export interface CommandOutcome<T> {
  readonly writes: readonly Write[];
  readonly answer: T;
}

/** Whose command it is, and how a repetition of it is known. */
export interface Command {
  readonly organization: string;
  readonly operation: string;
  /** The caller's own key; without one every call counts. */
  readonly key: string | undefined;
  /** The request: the same key with another one is a mistake. */
  readonly body: unknown;
}

/** Attempts before a command gives up; a failed attempt means that another command was written. */
const TRIES = 40;
const REPLAY_MS = DAY_MS;

/** Spreads the tries of commands that met, milliseconds. */
const WAIT_MS = 4;

/**
 * Carries out a command: `buildWrites` decides from a fresh reading, and its writes are made on condition that nothing it read has changed;
 * when something has, it is called again. With a key the answer is kept by the same transaction, so that however often a call is repeated,
 * and even at once, it counts once. Throws 409 when others were quicker in every attempt.
 */
export const runCommand = async <T>(
  parts: Pick<Ports, "table" | "clock">,
  command: Command,
  buildWrites: () => Promise<CommandOutcome<T>>,
): Promise<T> => {
  const { table, clock } = parts;
  return untilBillingWritten(async () => {
    const replay = await findReplay(parts, command);
    if (replay !== undefined) return replayedAnswer<T>(replay, command);
    try {
      const { writes, answer } = await buildWrites();
      const kept = replayWrites(command, answer, clock.now());
      if (writes.length + kept.length > 0) await table.transact([...writes, ...kept]);
      return answer;
    } catch (fault) {
      // The same call, sent at the same moment, may have done meanwhile what is refused the second time.
      const meanwhile = await findReplay(parts, command);
      if (meanwhile === undefined) throw fault;
      return replayedAnswer<T>(meanwhile, command);
    }
  });
};

/** The same for work that is no command of a caller's. Throws 409 when others were quicker in every attempt. */
export const untilBillingWritten = <T>(work: () => Promise<T>): Promise<T> =>
  untilWritten({ most: TRIES, pauseMs: WAIT_MS, otherwise: changedMeanwhile }, work);

const changedMeanwhile = (): ApiError => conflict("The billing of this organization was changed meanwhile, again and again. Try again.");

const findReplay = async ({ table, clock }: Pick<Ports, "table" | "clock">, command: Command): Promise<Replay | undefined> => {
  if (command.key === undefined) return undefined;
  const { organization: organization_id, operation } = command;
  const found = await get(table, Replays, { organization_id, operation, key_hash: digest(command.key) }, { consistent: true });
  return found !== undefined && found.expires_at > clock.now() ? found : undefined;
};

/** The kept answer was given to the same operation, which always answers a `T`. */
const replayedAnswer = <T>(replay: Replay, command: Command): T => {
  if (replay.request_hash !== jsonDigest(command.body)) throw idempotencyConflict();
  return unpack(replay.answer) as T;
};

const idempotencyConflict = () =>
  standardError(
    409,
    "server_error",
    "idempotency_conflict",
    "This Idempotency-Key was used for another body within the last day. Send a new key with a new body.",
  );

/** A replay that has ended may still lie there, and gives way. */
const replayWrites = ({ organization, operation, key, body }: Command, answer: unknown, now: number): readonly Write[] => {
  if (key === undefined) return [];
  const replay: Replay = {
    organization_id: organization,
    operation,
    key_hash: digest(key),
    request_hash: jsonDigest(body),
    answer: pack(answer ?? null),
    expires_at: now + REPLAY_MS,
  };
  return [putting(Replays, replay, { kind: "any", of: [ABSENT, { kind: "less", attribute: "expires_at", value: now + 1 }] })];
};

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The answer of a command, kept for a day under its caller's key, so that a repeated call is answered and not carried out again. */
export const Replay = z.object({
  organization_id: z.guid(),
  operation: z.string(),
  /** Digest of the caller's key, which may be of any length. */
  key_hash: z.string(),
  request_hash: z.string(),
  /** The answer as JSON, compressed. */
  answer: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
  expires_at: z.int(),
});
export type Replay = z.output<typeof Replay>;

export const Replays = entity({
  name: "billing-replay",
  version: 1,
  schema: Replay,
  key: within("commandReplays", "{operation}#{key_hash}", { organization: "organization_id" }),
  patterns: {},
  ttl: ({ expires_at }) => Math.ceil(expires_at / 1_000),
});

/** 400 for what billing will not do, in the shape that its clients read. */
class Refusal extends ApiError {
  readonly fields: object;
  constructor(fields: object) {
    super(400, fields);
    this.fields = fields;
  }
}

/** The refusal of something; `code` says which rule, `detail` what to do. */
export const refused = (code: string | null, detail: string | object, more: Readonly<Record<string, unknown>> = {}): ApiError =>
  new Refusal({ statusText: "Bad Request", detail, code, ...more });

/** Does work whose refusals lead on to an address, unless they have one of their own. */
export const withLink = async <T>(link: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof Refusal ? new Refusal({ link, ...thrown.fields }) : thrown;
  }
};
