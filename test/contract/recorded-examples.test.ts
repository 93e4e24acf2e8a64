import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { describeGroups } from "../../functions/docs/description.ts";
import { EXAMPLES_FOLDER } from "../../functions/docs/examples.ts";
import { groups } from "../../functions/index.ts";
import { readDescription } from "../fuzz/api/description.ts";

const HOSTS = { baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org" };
const text = await describeGroups(() => groups)(HOSTS);

/** Successes that nothing is shown of, each with its reason. */
const WITHOUT: Readonly<Record<string, string>> = {
  "deletePerson 202": "only where a stage lets its clients erase people",
  "getSchema 200": "the document that the examples stand in",
  "assignCohortToErrorTrackingIssue 200": "there are no cohorts, so every call is refused",
};

const Example = z.object({
  request: z.object({
    path: z.record(z.string(), z.unknown()).optional(),
    query: z.record(z.string(), z.unknown()).optional(),
    body: z.unknown().optional(),
  }),
  reply: z.object({ status: z.number(), mediaType: z.string().optional(), body: z.unknown().optional() }),
});
const Examples = z.record(z.string(), z.array(Example).min(1));

const examplesIn = async (folder: string): Promise<ReadonlyMap<string, z.output<typeof Examples>>> => {
  const names = (await readdir(folder)).sort();
  const read = async (name: string) => [name, Examples.parse(JSON.parse(await readFile(join(folder, name), "utf8")))] as const;
  return new Map(await Promise.all(names.map(read)));
};

const kept = await examplesIn(EXAMPLES_FOLDER);
const all = [...kept.values()].flatMap((area) =>
  Object.entries(area).flatMap(([id, examples]) => examples.map((each) => ({ id, ...each }))),
);

const Content = z.record(z.string(), z.object({ example: z.unknown().optional() }));
const Operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), example: z.unknown().optional() })).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});
const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), Operation)) }).parse(JSON.parse(text));
const operations = Object.values(paths).flatMap((methods) => Object.values(methods));

it("every success of every operation shows an answer, or says why not", () => {
  const successes = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      status.startsWith("2") ? [{ name: `${operationId} ${status}`, content: Object.values(content) }] : [],
    ),
  );
  const recorded = new Set(all.map(({ id, reply }) => `${id} ${reply.status}`));
  const silent = successes.filter(({ name, content }) => !recorded.has(name) || content.some(({ example }) => example === undefined));
  expect(silent.map(({ name }) => name).sort()).toEqual(Object.keys(WITHOUT).sort());
});

it("every body and every parameter that has to be sent shows what was sent", () => {
  const asked = operations.filter(({ operationId }) => all.some(({ id }) => id === operationId));
  const silent = asked.flatMap(({ operationId, parameters, requestBody }) => {
    const [first] = all.filter(({ id }) => id === operationId);
    const names = [...Object.keys(first?.request.path ?? {}), ...Object.keys(first?.request.query ?? {})];
    const missing = names.filter((name) => parameters.find((each) => each.name === name)?.example === undefined);
    return [...missing, ...(requestBody?.content["application/json"]?.example === undefined && requestBody ? ["body"] : [])].map(
      (name) => `${operationId}: ${name}`,
    );
  });
  expect(silent).toEqual([]);
});

it("every answer that is shown is one that the description admits, and nothing in it is a key", () => {
  const description = readDescription(text);
  const misfits = all.flatMap(({ id, reply: { status, mediaType, body } }) => {
    if (mediaType === undefined) return [];
    const schema = description.operations
      .find((each) => each.id === id)
      ?.answer(status)
      ?.get(mediaType);
    const problem = schema === undefined ? "it is not described" : schema.safeParse(body).error?.message;
    return problem === undefined ? [] : [`${id} ${status}: ${problem}`];
  });
  expect(misfits).toEqual([]);
  const keys = JSON.stringify(all).match(/ph[xsc]_(?!0+example)[A-Za-z0-9]{8,}/g);
  expect(keys).toBeNull();
});

describe("a platform that is asked anew answers as it is shown", () => {
  let folder = "";
  let again: ReadonlyMap<string, z.output<typeof Examples>> = new Map();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "examples-"));
    const program = (name: string): string => join(import.meta.dirname, "..", "examples", name);
    await promisify(execFile)(process.execPath, ["--import", program("fixed-date.ts"), program("main.ts"), "--into", folder]);
    again = await examplesIn(join(folder, "examples"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(all.map(({ id, reply, ...more }) => ({ id, status: reply.status, reply, ...more })))(
    "$id, $status",
    ({ id, status, request, reply }) => {
      const [asked] = [...again.values()].flatMap((area) => area[id] ?? []).filter((each) => each.reply.status === status);
      expect(asked).toEqual({ request, reply });
    },
  );
});
