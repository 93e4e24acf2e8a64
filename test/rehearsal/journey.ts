import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import type { Standing } from "./boot.ts";
import { admin } from "./operator.ts";

const Tree = z.object({
  organizations: z.array(
    z.object({
      members: z.array(z.object({ personal_api_keys: z.array(z.object({ value: z.string() })) })),
      projects: z.array(z.object({ id: z.number(), token: z.string() })),
    }),
  ),
});

/** A project of a standing stage, and what is needed to use it. */
export interface Project {
  readonly id: number;
  readonly token: string;
  readonly key: string;
}

/** Applies the document that the guide begins with. */
export const applyFirstProject = async (standing: Standing): Promise<Project> => {
  const printed = await admin(standing, ["apply", "infra/first-project.json"]);
  const [organization] = Tree.parse(JSON.parse(printed)).organizations;
  const [project, key] = [organization?.projects[0], organization?.members[0]?.personal_api_keys[0]?.value];
  if (project === undefined || key === undefined) throw new Error(`the document made no project: ${printed}`);
  return { id: project.id, token: project.token, key };
};

/** Applies the same document with a saved query that is kept as a table: a sweep has it made. Then it goes, for it would be made again and again. */
export const applyTable = async (standing: Standing, { id, key }: Project): Promise<void> => {
  const document = JSON.parse(await readFile("infra/first-project.json", "utf8"));
  const query = { kind: "HogQLQuery", query: "SELECT event, count() AS times FROM events GROUP BY event" };
  document.organizations[0].projects[0].endpoints = [{ name: "applied", query, is_materialized: true }];
  await admin(standing, ["apply", "-"], JSON.stringify(document));
  const endpoint = `${standing.url("management")}/api/projects/${id}/endpoints/applied/`;
  const headers = { authorization: `Bearer ${key}` };
  const deadline = performance.now() + LONGEST_MS;
  for (let said = ""; !said.includes('"Completed"'); ) {
    if (performance.now() > deadline) throw new Error(`the table was not made: ${said}`);
    await standing.tick("sweep");
    said = await (await fetch(`${endpoint}materialization_status/`, { headers })).text();
    await pause(ASK_AGAIN_MS);
  }
  const { status } = await fetch(endpoint, { method: "DELETE", headers });
  if (status !== 204) throw new Error(`the saved query was not deleted: ${status}`);
};

const json = { "content-type": "application/json" } as const;

/** Sends events as an SDK does, and holds the answer to a success. */
export const capture = async (standing: Standing, { token }: Project, events: readonly object[], more: object = {}): Promise<void> => {
  const body = JSON.stringify({ api_key: token, batch: events, ...more });
  const reply = await fetch(`${standing.url("ingest")}/batch/`, { method: "POST", headers: json, body });
  if (reply.status !== 200) throw new Error(`capture answered ${reply.status}: ${await reply.text()}`);
  await reply.body?.cancel();
};

const Rows = z.object({ results: z.array(z.array(z.unknown())) });

/** The rows of a query. */
export const ask = async (standing: Standing, { id, key }: Project, sql: string): Promise<readonly (readonly unknown[])[]> => {
  const reply = await fetch(`${standing.url("management")}/api/projects/${id}/query/`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: { kind: "HogQLQuery", query: sql }, refresh: "force_blocking" }),
  });
  const said = await reply.text();
  if (reply.status !== 200) throw new Error(`the query answered ${reply.status}: ${said}`);
  return Rows.parse(JSON.parse(said)).results;
};

const ASK_AGAIN_MS = 500;

/** Asks until the first row is this one. */
export const until = async (
  standing: Standing,
  project: Project,
  sql: string,
  row: readonly unknown[],
  patienceMs: number,
): Promise<void> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const rows = await ask(standing, project, sql);
    if (JSON.stringify(rows[0]) === JSON.stringify(row)) return;
    if (performance.now() > deadline) throw new Error(`${sql}: ${JSON.stringify(rows[0])} instead of ${JSON.stringify(row)}`);
    await pause(ASK_AGAIN_MS);
  }
};

const LONGEST_MS = 120_000;

/** The first day in one journey: a project is made, events come on both lanes, and a query sees them. */
export const firstDay = async (standing: Standing): Promise<Project> => {
  const project = await applyFirstProject(standing);
  const event = (name: string, at: number) => ({ event: name, distinct_id: `person-${at}`, properties: { at } });
  await capture(
    standing,
    project,
    Array.from({ length: 5 }, (_, at) => event("signed up", at)),
  );
  const past = Array.from({ length: 7 }, (_, at) => ({ ...event("signed up", at), timestamp: "2024-02-03T04:05:06Z" }));
  await capture(standing, project, past, { historical_migration: true });
  await until(standing, project, "SELECT count() FROM events WHERE event = 'signed up'", [12], LONGEST_MS);
  return project;
};
