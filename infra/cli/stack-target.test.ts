import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeStack } from "../../test/rehearsal/other-services.ts";
import { STACK_OUTPUTS } from "../outputs.ts";
import { run } from "./run.ts";
import { stackTarget } from "./stack-target.ts";

const { queues, deadLetters, ...single } = STACK_OUTPUTS;
const OUTPUTS = [...Object.values(single), ...Object.values(queues), ...Object.values(deadLetters)];

const DENIED = JSON.stringify({ __type: "AccessDeniedException", message: "not authorized to perform: dynamodb:Query" });

/** Says of the stack what it is, and refuses all else that is asked of it. */
const services = createServer(async (incoming, outgoing) => {
  const asked = new URLSearchParams(await text(incoming)).get("StackName");
  const outputs = new Map([
    ["shop", new Map(OUTPUTS.map((name) => [name, `http://${incoming.headers.host}/${name}`]))],
    ["half", new Map()],
  ]);
  const { status, body } = asked === null ? { status: 400, body: DENIED } : describeStack({ outputs }, asked);
  outgoing.writeHead(status).end(body);
});

beforeEach(async () => {
  await new Promise<void>((listening) => services.listen(0, "127.0.0.1", listening));
  const address = services.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const environment = { AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "operator", AWS_SECRET_ACCESS_KEY: "secret" };
  Object.assign(process.env, environment, { AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` });
});
afterEach(() => {
  services.closeAllConnections();
  services.close();
});

test("what goes wrong on a stage is told beside what a command prints, and not within it", async () => {
  const { world } = await stackTarget("shop");
  const written = { stdout: vi.spyOn(process.stdout, "write"), stderr: vi.spyOn(process.stderr, "write") };
  written.stderr.mockReturnValue(true);
  expect(await world.queues.send("live", [{ id: "1", body: "text" }])).toEqual(["1"]);
  const lines = (stream: "stdout" | "stderr") => written[stream].mock.calls.filter(([line]) => String(line).includes("queue.send_failed"));
  expect(lines("stdout")).toEqual([]);
  expect(lines("stderr").length).toBeGreaterThan(0);
});

test("what a stage refuses its operator is a sentence, and no fault of ours", async () => {
  const refused = run(["projects", "--stack", "shop"], {});
  await expect(refused).rejects.toMatchObject({ name: "UserError", message: expect.stringMatching(/may not do this: not authorized/) });
});

test("of a stack that was never deployed to the end its state is told, and what to do", async () => {
  await expect(stackTarget("half")).rejects.toThrow(
    "The stack half (CREATE_COMPLETE) has no output TableName: it is not this platform's, or was not deployed to the end. Run `npm run deploy -- --stage half` first.",
  );
  await expect(stackTarget("none")).rejects.toThrow("The stack none cannot be read: Stack with id none does not exist");
});

test("a command starts no function of a stage, and leaves that to the sweep", async () => {
  const { world } = await stackTarget("shop");
  expect(await world.invocations.start("tables")).toBe(false);
});
