import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { STACK_OUTPUTS } from "../../infra/outputs.ts";
import { DAY_MS } from "../../lib/core/time.ts";
import { removalKey } from "../../lib/organizations/removal.ts";
import { QUEUES } from "../../lib/ports/queues.ts";
import { apiClient } from "../support/api-client.ts";
import type { Standing } from "./boot.ts";
import { capture, type Project, until } from "./journey.ts";
import type { Shop } from "./operations.ts";
import { operatorsTable } from "./operator.ts";
import { everyPath } from "./paths.ts";
import { OPERATOR } from "./services.ts";
import type { Step } from "./steps.ts";
import { REGION } from "./template.ts";

const LONGEST_MS = 120_000;
const LOOK_MS = 250;

const call = async (
  standing: Standing,
  { key }: Project,
  verb: "get" | "post" | "remove",
  path: string,
  sent?: object,
): Promise<unknown> => {
  const { status, body } = await apiClient(standing.url("management"), key)[verb](path, sent);
  if (status >= 300) throw new Error(`${verb} ${path} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
};

/** Looks until it is so, with a sweep before each look: what waits for the clock comes by one. */
const sweptUntil = async (standing: Standing, what: string, isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + LONGEST_MS;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`${what} did not come about`);
    await pause(LOOK_MS);
    await standing.tick("sweep");
  }
};

const IMPORTED = [
  ...["TypeError", "RangeError"].flatMap((type) =>
    [1, 2].map((at) => ({
      event: "$exception",
      distinct_id: `past-${at}`,
      timestamp: "2024-02-03T04:05:06Z",
      properties: {
        $exception_list: [
          {
            type,
            value: "out of the past",
            stacktrace: { type: "raw", frames: [{ platform: "python", filename: "past.py", function: type, lineno: at, in_app: true }] },
          },
        ],
      },
    })),
  ),
  {
    event: "$groupidentify",
    distinct_id: "past-1",
    timestamp: "2024-02-03T04:05:06Z",
    properties: { $group_type: "company", $group_key: "of the past", $group_set: { seats: 4 } },
  },
];

/** More than a message holds, however it is compressed: it is put into the lake, and the message points to it. */
const large = () =>
  Array.from({ length: 1_500 }, (_, at) => ({
    event: "viewed",
    distinct_id: `past-${at % 10}`,
    timestamp: "2024-02-03T04:05:06Z",
    properties: { at, note: randomBytes(768).toString("base64") },
  }));

/** An import of what another platform kept: exceptions that become issues, a group that is an account, and more than one message holds. */
const importPast: Step = async (standing, project) => {
  const events = [...IMPORTED, ...large()];
  await capture(standing, project, IMPORTED, { historical_migration: true });
  await capture(standing, project, events.slice(IMPORTED.length), { historical_migration: true });
  const count = "SELECT count() FROM events WHERE startsWith(distinct_id, 'past-')";
  await until(standing, project, count, [events.length], LONGEST_MS);
  return `${events.length} events of another platform were imported, exceptions among them`;
};

const UNPACKED_BYTES = 34_000_000;

/** A request that only the function unpacks, and finds too large: that is counted, for SDKs drop it. */
const tooLarge: Step = async (standing, { token }) => {
  const body = gzipSync(`{"api_key":"${token}","batch":[${" ".repeat(UNPACKED_BYTES)}]}`);
  const headers = { "content-type": "text/plain" };
  const reply = await fetch(`${standing.url("ingest")}/batch/?compression=gzip-js`, { method: "POST", headers, body });
  if (reply.status !== 413) throw new Error(`${UNPACKED_BYTES} bytes were answered ${reply.status}: ${await reply.text()}`);
  await reply.body?.cancel();
  return "a request that is too large only once it is unpacked was refused";
};

/** A saved query is kept as a table: made by a function that another one starts, read by its runs, and removed with it. */
const keepTable: Step = async (standing, project) => {
  const endpoints = `/api/projects/${project.id}/endpoints/`;
  const query = { kind: "HogQLQuery", query: "SELECT event, count() AS times FROM events GROUP BY event" };
  await call(standing, project, "post", endpoints, { name: "kept", query, is_materialized: true });
  await sweptUntil(standing, "the table", async () => {
    const said = await call(standing, project, "get", `${endpoints}kept/materialization_status/`);
    return JSON.stringify(said).includes("Completed");
  });
  await call(standing, project, "post", `${endpoints}kept/run/`, {});
  await call(standing, project, "remove", `${endpoints}kept/`);
  return "a saved query was kept as a table, run and deleted";
};

/** What was given up on goes back to its lane, where it fails anew and is put off. */
const sendBack: Step = async (standing, project) => {
  const { services, stage, name } = standing;
  const sqs = new SQSClient({ endpoint: services, region: REGION, credentials: { accessKeyId: OPERATOR, secretAccessKey: "rehearsal" } });
  try {
    for (const lane of QUEUES) {
      const QueueUrl = stage.outputs.get(name)?.get(STACK_OUTPUTS.deadLetters[lane]);
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "what nobody can read" }));
      const said = await call(standing, project, "post", `/api/projects/${project.id}/health/redrive/`, { lane });
      if (Object(said).moved !== 1) throw new Error(`of the ${lane} lane went back: ${JSON.stringify(said)}`);
    }
  } finally {
    sqs.destroy();
  }
  return "dead letters went back to all lanes";
};

/** Time in which a period of billing is over, and in which it is closed. */
const MONTH_MS = 40 * DAY_MS;

/** All plans are cancelled, and a month goes by: they end, invoices are due, and what was replaced in the lake is old enough to be deleted. */
const aMonthLater =
  ({ call: callOperation }: Shop): Step =>
  async (standing) => {
    await callOperation("deactivateBilling", { body: { products: "all_products:", cancel_at_period_end: true } });
    standing.travel(MONTH_MS);
    await standing.tick("closing");
    await standing.tick("sweep");
    await standing.tick("closing");
    return "a month later invoices were made, and plans had ended";
  };

/** What only runs where a setting asks for its schedule runs without one. */
const unscheduled =
  (names: readonly string[]): Step =>
  async (standing) => {
    for (const { id, ref } of standing.stage.of("AWS::Lambda::Function")) {
      if (!names.some((name) => id.startsWith(name))) continue;
      const outcome = await standing.functions.start(ref, { source: "aws.events" });
      if (!outcome.ok) throw new Error(`${ref}: ${outcome.reason}`);
    }
    return `${names.join(" and ")} ran as their schedules would have them`;
  };

/** An organization is removed with all that it had. */
const removeShop =
  ({ tenant: { organizationId: organization }, call: callOperation }: Shop): Step =>
  async (standing) => {
    await callOperation("deleteOrganization");
    const table = operatorsTable(standing);
    await sweptUntil(
      standing,
      "the end of the organization",
      async () => (await table.get(removalKey(organization), { consistent: true })) === undefined,
    );
    standing.travel(2 * DAY_MS);
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await standing.tick("sweep");
    return "an organization was removed with all that it had";
  };

/** The rest of a shop's life on a stage, in its order: the last step leaves nothing of it. */
export const lateSteps = (shop: Shop): readonly Step[] => [
  importPast,
  tooLarge,
  sendBack,
  keepTable,
  everyPath,
  aMonthLater(shop),
  unscheduled(["notices", "canary"]),
  removeShop(shop),
];
