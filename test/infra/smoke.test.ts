import { expect, it } from "vitest";
import { listKeys } from "../../infra/cli/keys-command.ts";
import { loopQuestion } from "../../infra/cli/smoke/loop-question.ts";
import type { Answered } from "../../infra/cli/smoke/question.ts";
import { askAll, smokeReport } from "../../infra/cli/smoke/smoke.ts";
import { asVisitor } from "../../infra/cli/smoke/visitor.ts";
import { itsOwnPlatform } from "../support/processes/platform.ts";

const platform = itsOwnPlatform();

it("all that a laptop can answer of what a stage is asked is as assumed, and the key that asked is no more", async () => {
  const { baseUrl, ingestUrl, world } = platform();
  const target = { world, forgetKeys: () => undefined, close: async () => undefined };
  const keys = async () => (await listKeys(target, { words: [], flags: {}, switches: new Set() })).json;
  const before = await keys();
  const answers = await asVisitor(target, "run1", (visitor) => askAll({ baseUrl, ingestUrl, place: "laptop", ...visitor }));
  // How long something takes is this machine's.
  const isTimed = ({ assumed }: Answered): boolean => assumed.startsWith("within ");
  expect(answers.filter((answer) => !answer.asAssumed && !isTimed(answer))).toEqual([]);
  for (const { found } of answers.filter(isTimed)) expect(found).toMatch(/^\S.* after [\d.]+ s$/);
  expect(answers.length).toBeGreaterThan(15);
  expect(await keys()).toEqual(before);
});

it("what is not as assumed, and what has no answer, is told apart from the rest", async () => {
  const nobody = { baseUrl: "http://127.0.0.1:1", ingestUrl: "http://127.0.0.1:1", place: "deployed" } as const;
  const answers = await askAll({ ...nobody, project: 1, token: "phc_x", key: "phx_x", run: "run2" });
  expect(answers.filter(({ asAssumed }) => asAssumed)).toEqual([]);
  const page = smokeReport("the stage prod", "2026-11-24T00:00:00.000Z", [
    { asks: "a | b", assumed: "200", found: "503\nand more", asAssumed: false },
    { asks: "c", assumed: "200", found: "200", asAssumed: true },
  ]);
  expect(page).toContain("| a \\| b | 200 | **503 and more** |\n| c | 200 | 200 |");
});

it.each([
  [3, "3, and 3 queues", true],
  [2, "2, and 3 queues", false],
])("with %i functions that may loop, %s are found", async (loops, found, asAssumed) => {
  const site = { baseUrl: "", ingestUrl: "", place: "deployed", project: 1, token: "", key: "", run: "" } as const;
  const made = (type: string, names: readonly string[]) => names.map((name) => ({ type: `AWS::Lambda::${type}`, name, left: false }));
  const account = {
    resources: async (stack: string) =>
      stack === "prod-ingest"
        ? [...made("Function", ["capture", "live", "historical"]), ...made("EventSourceMapping", ["1", "2"])]
        : [...made("Function", ["jobs", "sweep"]), ...made("EventSourceMapping", ["3"])],
    loopsAllowed: async (name: string) => ["live", "historical", "jobs"].slice(0, loops).includes(name),
  };
  expect(await loopQuestion(account, "prod").ask(site)).toEqual({ found, asAssumed });
});
