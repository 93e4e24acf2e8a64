import { importIdOf, importOfRequest } from "../../event/imports.ts";
import { type CaptureMessage, decodeMessage, encodeMessage } from "../../event/message.ts";
import { tokenItem } from "../../keys/credential.ts";
import { decodeProjectToken } from "../../keys/project-tokens.ts";
import { POINTER_PREFIX } from "../../lake/paths.ts";
import type { Ports } from "../../ports/ports.ts";
import { MAX_MESSAGES_PER_SEND, type QueueName } from "../../ports/queues.ts";
import type { Project } from "../../projects/projects.ts";
import { encodingOf, tokenIn, withoutEventsOf } from "./less-events.ts";

/** What is to go out of messages: the events of some ids, or an import as a whole. */
export type Unwanted = { readonly ids: ReadonlySet<string> } | { readonly import: string };

type Parts = Pick<Ports, "table" | "objects" | "queues" | "deadLetters">;

/** Nobody else is handed a dead letter meanwhile, and nobody is handed it twice while all are looked at. */
const VISIBILITY_MS = 300_000;

/** Asked for no longer, a service of many machines may say of a queue that it is empty, having looked at some of them. */
const WAIT_MS = 1_000;

/** Bounds the work: a million messages. What is behind it is refused by ingest when it is sent back. */
const MOST_ROUNDS = 100_000;

const LANES = ["live", "historical"] as const satisfies readonly QueueName[];

/**
 * Takes what is unwanted out of the messages that ingest gave up on. One of which only a part goes is sent back to its queue with the rest,
 * as a redrive would. Gives how many were changed or dropped. Safe to run again.
 */
export const eraseFromDeadLetters = async (parts: Parts, project: number, unwanted: Unwanted): Promise<number> => {
  let changed = 0;
  for (const lane of LANES) {
    const seen = new Set<string>();
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const messages = await parts.deadLetters.receive(lane, { max: MAX_MESSAGES_PER_SEND, waitMs: WAIT_MS, visibilityMs: VISIBILITY_MS });
      if (messages.length === 0 || messages.some(({ id }) => seen.has(id))) break;
      for (const { id, body, receipt } of messages) {
        seen.add(id);
        const left = await leftOf(parts, project, body, unwanted);
        if (left === "all") continue;
        // Sent first and removed then: stopped in between, both are there, and the next call finds the one before again.
        if (left !== "none" && (await parts.queues.send(lane, [{ id: "0", body: left }])).length > 0)
          throw new Error(`the ${lane} queue did not take a message back`);
        await parts.deadLetters.acknowledge(lane, [receipt]);
        changed += 1;
      }
    }
  }
  return changed;
};

/** What stays of a message: all of it, nothing, or another one. */
const leftOf = async (parts: Parts, project: number, text: string, unwanted: Unwanted): Promise<"all" | "none" | string> => {
  const message = readable(text);
  if (message === undefined) return holdsAny(text, unwanted) ? "none" : "all";
  if ((await ownerOf(parts, message)) !== project) return "all";
  if ("import" in unwanted) return isOfImport(message, unwanted.import) ? "none" : "all";
  const { body } = message;
  if ("key" in body) return "all";
  const less = withoutEventsOf(unwanted.ids, body.encoding, Buffer.from(body.inline, "base64"));
  if (less.kind !== "some") return less.kind;
  return encodeMessage({ ...message, body: { encoding: body.encoding, inline: less.bytes.toString("base64") } });
};

const isOfImport = ({ importName, request }: CaptureMessage, id: string): boolean =>
  importName !== undefined && importIdOf(importName) === id && importOfRequest(request) === id;

const readable = (text: string): CaptureMessage | undefined => {
  try {
    return decodeMessage(text);
  } catch {
    return undefined;
  }
};

/** A message that nobody can read is of nobody; one that shows an id goes. */
const holdsAny = (text: string, unwanted: Unwanted): boolean => "ids" in unwanted && [...unwanted.ids].some((id) => text.includes(id));

const ownerOf = async ({ table }: Parts, { token, project }: CaptureMessage): Promise<number | null> => {
  if (token === undefined) return project;
  const item = await table.get(tokenItem(token), { consistent: true });
  return item === undefined ? null : decodeProjectToken(item).project_id;
};

/**
 * Takes the events of some ids out of the objects that hold large requests: they lie there for 15 days, whether they were stored or not.
 * Gives how many were changed.
 */
export const eraseFromRequests = async (
  { objects }: Pick<Ports, "objects">,
  { api_token }: Pick<Project, "api_token">,
  ids: ReadonlySet<string>,
): Promise<number> => {
  let changed = 0;
  let cursor: string | null = null;
  do {
    const page = await objects.list(POINTER_PREFIX, cursor);
    for (const { key } of page.objects) {
      const bytes = await objects.get(key);
      if (bytes === undefined) continue;
      const encoding = encodingOf(bytes);
      if (tokenIn(encoding, bytes) !== api_token) continue;
      const less = withoutEventsOf(ids, encoding, bytes);
      if (less.kind === "all") continue;
      // The message that points to it may still come: it has to find a request, and finds one without events.
      await objects.put(key, less.bytes);
      changed += 1;
    }
    cursor = page.cursor;
  } while (cursor !== null);
  return changed;
};
