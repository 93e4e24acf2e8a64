import { synthesised } from "../../infra/templates.ts";
import { boot, type Standing } from "../../rehearsal/boot.ts";
import { firstDay, type Project } from "../../rehearsal/journey.ts";
import { readOutput } from "../../rehearsal/template.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { type Figure, median, type Part } from "../figures.ts";
import { treeCpuMs } from "../process-cpu.ts";
import { megabyteMs } from "../yardstick.ts";

const ROUNDS = 7;
const NAME = "counted";
const QUERY = "SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC";

/** What the first answer of a function takes that runs a saved query: from the start of its process, by the bundle that is deployed. */
export const runCold: Part = {
  name: "run.cold",
  seconds: 120,
  measures: ["functions/endpoint-runs", "infra/functions.ts", "lib/aws", "lib/endpoints", "lib/engine", "lib/hogql"],
  async run(): Promise<readonly Figure[]> {
    const stage = await synthesised();
    const begun: { readonly name: string; readonly pid: number }[] = [];
    const started = (name: string, pid: number | undefined): void => {
      if (pid !== undefined) begun.push({ name, pid });
    };
    const standing = await boot(readOutput(stage.folder), { started });
    try {
      const project = await firstDay(standing);
      await send(standing, project, "endpoints/", { name: NAME, query: sqlQuery(QUERY) });
      const answers: { readonly cpuMs: number; readonly ms: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        standing.functions.retire();
        begun.length = 0;
        const began = performance.now();
        const { results } = Object(await send(standing, project, `endpoints/${NAME}/run/`, { refresh: "force" }));
        const ms = performance.now() - began;
        if (JSON.stringify(results) !== '[["signed up",12]]') throw new Error(`the run gave ${JSON.stringify(results)}`);
        const [environment, ...others] = begun;
        if (environment === undefined || others.length > 0) throw new Error(`it was answered by ${begun.map(({ name }) => name).join()}`);
        answers.push({ cpuMs: treeCpuMs(environment.pid), ms });
      }
      const yardstick = await megabyteMs();
      const cpuMs = median(answers.map((each) => each.cpuMs));
      return [
        {
          name: "run.cold_cpu_s",
          value: Math.round(cpuMs) / 1_000,
          unit: "s",
          baseline: `of processor, the engine's process with it, from the start to the answer; at most 1; ${Math.round(cpuMs / yardstick)} times unpacking and parsing a megabyte of events (${yardstick.toFixed(1)} ms)`,
        },
        {
          name: "run.cold_s",
          value: Math.round(median(answers.map((each) => each.ms))) / 1_000,
          unit: "s",
          baseline: "until the caller has the answer, on the cores of this machine; calls to AWS take what those to this machine do",
        },
      ];
    } finally {
      await standing.stop();
      await stage.discard();
    }
  },
};

const send = async (standing: Standing, { id, key }: Project, path: string, body: object): Promise<unknown> => {
  const reply = await fetch(`${standing.url("management")}/api/projects/${id}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  const said = await reply.text();
  if (!reply.ok) throw new Error(`${path} was answered ${reply.status}: ${said}`);
  return JSON.parse(said);
};
