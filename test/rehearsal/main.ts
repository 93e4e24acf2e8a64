import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { keepRehearsed } from "../../infra/cli/rehearsed.ts";
import { NEXT_GENERATION } from "../../lib/core/formats.ts";
import { BEGINNING } from "../examples/beginning.ts";
import { startProvider } from "../examples/provider.ts";
import { boot } from "./boot.ts";
import { judge } from "./explained.ts";
import { applyTable, firstDay } from "./journey.ts";
import { lateSteps } from "./late-steps.ts";
import { type Mutant, mutants } from "./mutants.ts";
import { callOperations } from "./operations.ts";
import { tryReds } from "./reds.ts";
import { writing } from "./releases.ts";
import { sendRequests } from "./requests.ts";
import { withSchedules } from "./schedules.ts";
import { largeBatch, putOff, upgradeAndBack } from "./steps.ts";
import { EXPLANATIONS, OF_THE_MATRIX } from "./survivors.ts";
import { type Output, readOutput } from "./template.ts";

/**
 * Requests without a pause are what this is about, and not how many somebody may send; the lake gathers within seconds, as it does on a
 * laptop; and customers may be told of what happens.
 */
const SETTINGS = { THROTTLE_SCALE: "1000000", CONCURRENT_RUNS: "1000", COMPACTION: "local", WEBHOOK_HOSTS: "hooks.acme.example" };

/**
 * Whoever a stage's settings name outside of it is not there on this machine: who collects, bills, answers large queries, takes letters or
 * knows code, and the project that a token or an id is of. Their secrets, rights and functions are made as the templates say, and not used.
 */
const NOBODY_OUTSIDE = Object.fromEntries(
  [
    ...["PAYMENT_PROVIDER", "BILLING_SERVICE_URL", "CLICKHOUSE_URL", "MAIL_FROM", "MODEL_ID", "GLUE_DATABASE", "CANARY"],
    ...["GITHUB_TOKEN_PARAMETER", "GITLAB_TOKEN_PARAMETER", "LLM_ANALYTICS_PROJECT_ID"],
  ].map((variable) => [variable, ""]),
);

/** How much faster than on AWS the clock of queues and schedules goes. */
const SPEED = 30;

const ROOT = join(import.meta.dirname, "../..");

/**
 * `npm run rehearse [-- --stage NAME]`: synthesizes a stage, and lets what came of it live through its first day. `npm run deploy` asks for
 * what was green. `--output FOLDER` takes what was synthesized before.
 */
const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      output: { type: "string" },
      stage: { type: "string", default: "analytics" },
      requests: { type: "string", default: "2000" },
      seed: { type: "string", default: "1" },
      reds: { type: "boolean", default: false },
      mutants: { type: "boolean", default: false },
    },
  });
  const folder = values.output ?? join(ROOT, "cdk.out");
  if (values.output === undefined) synthesize(values.stage);
  const output = readOutput(folder);
  if (values.reds) return showReds(output);
  const began = performance.now();
  const provider = await startProvider();
  const variables = { ...SETTINGS, ...NOBODY_OUTSIDE, GITHUB_API: provider.origin, GITLAB_ORIGIN: provider.origin };
  const standing = await boot(output, { variables, beginning: BEGINNING, speed: SPEED });
  const failed: string[] = [];
  const passed = (what: string): void => console.log(`${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${what}`);
  try {
    passed("the stage stands");
    const shop = await withSchedules(standing, SPEED, () => callOperations(standing));
    passed(`${shop.called.size} operations were called as their examples say`);
    const project = await firstDay(standing);
    passed("a project is made, events came on both lanes, and a query counts them");
    await applyTable(standing, project);
    passed("a document made a saved query that is kept as a table");
    for (const step of [putOff, largeBatch, upgradeAndBack(writing(output, NEXT_GENERATION))]) passed(await step(standing, project));
    const { statuses, operations, failures } = await sendRequests(standing, Number(values.requests), Number(values.seed));
    failed.push(...failures);
    const counted = [...statuses].toSorted(([one], [other]) => one - other).map(([status, times]) => `${times} × ${status}`);
    passed(`${values.requests} requests to ${operations.size} operations: ${counted.join(", ")}`);
    const { projectId: id, projectToken: token, personalKey: key } = shop.tenant;
    for (const step of lateSteps(shop)) passed(await step(standing, { id, token, key }));
    if (values.mutants) failed.push(...showMutants(mutants(standing)));
  } finally {
    for (const { caller, action, resource } of standing.denials) console.error(`denied: ${caller} ${action} ${resource}`);
    for (const fault of [...standing.faults, ...standing.functions.faults]) console.error(`fault: ${String(fault)}`);
    await standing.stop();
    provider.close();
  }
  for (const [name, times] of standing.lineage.ended) failed.push(`${name}: ${times} messages came round too often and were given up on`);
  for (const failure of failed) console.error(`failed: ${failure}`);
  const wrong = standing.denials.length + standing.faults.length + standing.functions.faults.length + failed.length;
  console.log(`${standing.asked.size} different calls of services, ${standing.denials.length} denied, ${wrong} faults`);
  if (wrong > 0) process.exitCode = 1;
  else if (values.output === undefined) keepRehearsed(folder);
};

/** Says what is noticed of each thing that has to be, and fails where one is not. */
const showReds = async (output: Output): Promise<void> => {
  const changed = await mkdtemp(join(tmpdir(), "reds-"));
  try {
    for (const [name, noticed] of await tryReds(output, changed, SETTINGS)) {
      console.log(`${noticed === undefined ? "NOT NOTICED" : "noticed"}: ${name}${noticed === undefined ? "" : `\n  ${noticed}`}`);
      if (noticed === undefined) process.exitCode = 1;
    }
  } finally {
    await rm(changed, { recursive: true, force: true });
  }
};

/** Says by kind how many of what was taken out are noticed and how many explained, and returns what is neither. */
const showMutants = (all: readonly Mutant[]): readonly string[] => {
  const { unexplained, stale, counts } = judge(all, EXPLANATIONS, OF_THE_MATRIX);
  for (const [kind, { all, noticed, explained }] of counts)
    console.log(`${kind}: of ${all} are ${noticed} noticed and ${explained} explained`);
  return [
    ...unexplained.map(({ kind, of, part }) => `nothing misses the ${kind} of ${of}: ${part}, and nothing says why it is there`),
    ...stale.map((line) => `an explanation is out of date: ${line}`),
  ];
};

const synthesize = (stage: string): void => {
  const words = [join(ROOT, "node_modules/aws-cdk/bin/cdk"), "synth", "--quiet", "-c", `stage=${stage}`];
  const { status } = spawnSync(process.execPath, words, { cwd: ROOT, stdio: "inherit" });
  if (status !== 0) throw new Error("the stage could not be synthesized: see the message above");
};

await main();
