import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Describe, describeGroups } from "../../functions/docs/description.ts";
import { groups } from "../../functions/index.ts";
import { bundle } from "../../infra/bundle.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "description-bundle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("a function that describes the API says what the registry does, under the addresses that were asked, and carries no other group", async () => {
  const entry = { name: "docs", handler: "functions/docs/stored-description.ts", uses: {}, writesSegments: false };
  const { outputs } = await bundle(entry, folder);
  const { stored }: { stored: Describe } = await import(join(folder, "handler.mjs"));
  const hosts = { baseUrl: 'https://api.example.org/"$&', ingestUrl: "https://ingest.example.org" };
  expect(JSON.parse(await stored(hosts))).toEqual(JSON.parse(await describeGroups(() => groups)(hosts)));
  expect(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs))).not.toContain("functions/index.ts");
});
