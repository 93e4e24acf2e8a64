import { errorTracking } from "../../../functions/error-tracking/routes.ts";
import { ingestLive } from "../../../functions/ingest/consumers.ts";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { notices, sendNotices } from "../../../functions/notices/schedule.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import type { World } from "../../../lib/app/world.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { Letter } from "../../../lib/ports/mail.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";
import { list } from "../../../lib/table/store.ts";
import { memoryObjects } from "../memory-objects.ts";
import { deliveryOf } from "../samples/capture-messages.ts";
import { aHousehold, apiWorld, ask } from "./api-world.ts";

const BUDGET = { remainingMs: () => 60_000 };
const SETTINGS: Readonly<Record<string, string>> = {
  baseUrl: "https://app.acme.test",
  mailFrom: "alerts@acme.test",
  webhookHosts: "127.0.0.1,hooks.acme.test",
};

/** An exception as a client sends it. */
export const anException = (type: string, value = "boom", more: object = {}) => ({
  event: "$exception",
  distinct_id: "ann",
  properties: { $exception_list: [{ type, value }], $exception_fingerprint: type, ...more },
});

/** A project whose exceptions are ingested, whose alert rules are called by their routes, and whose alerts are sent when the test says so. */
export const alertWorld = async (settings: Readonly<Record<string, string>> = {}) => {
  const letters: Letter[] = [];
  const mail = { send: async (letter: Letter) => void letters.push(letter) };
  const config = readConfig((field) => ({ ...SETTINGS, ...settings })[field] || undefined);
  const made = apiWorld({ objects: memoryObjects(), segments: openSegments, config, mail, counts: { add: async () => undefined } });
  const { world, time } = made;
  const home = await aHousehold(world, 1);
  const call = (method: string, path = "", body?: object, key = home.key) =>
    ask(errorTracking, world, method, `/api/projects/1/error_tracking/alert_rules/${path}`, { key, ...(body && { body }) });
  /** A message of exceptions; its request is its own unless it is the same one again. */
  const message = (events: readonly object[], more: { readonly request?: string; readonly historical?: boolean } = {}): Delivery =>
    deliveryOf(events, { organization: home.organization.id, received: `${time.now}000`, ...more });
  const drain = async (deliveries: readonly Delivery[], by: World = world): Promise<void> => {
    const { failed } = await asFunction(ingestLive, () => ingest(deliveries, by, BUDGET, "live"));
    if (failed.length > 0) throw new Error(`messages were not ingested: ${failed.join()}`);
  };
  return {
    ...made,
    ...home,
    letters,
    call,
    message,
    drain,
    /** Ingests some exceptions. */
    ingest: (...events: readonly object[]) => drain([message(events)]),
    issues: () => list(world.table, Issues, "key", { project: 1 }),
    /** A rule with some fields of its own: by default on new issues, by letter to the owner. */
    rule: async (fields: object = {}): Promise<{ readonly id: string; readonly secret: string }> => {
      const channels = [{ type: "email", user_id: home.user.id }];
      const { status, json } = await call("POST", "", { name: "On call", trigger: "issue_created", channels, ...fields });
      if (status !== 201) throw new Error(`the rule was not made: ${JSON.stringify(json)}`);
      // What is remembered of the project's rules is read again.
      time.now += 6_000;
      return Object(json);
    },
    send: (by: World = world) => asFunction(notices, () => sendNotices({ ...by, mail: by.mail }, BUDGET)),
    pass: (ms: number): void => {
      time.now += ms;
    },
  };
};
