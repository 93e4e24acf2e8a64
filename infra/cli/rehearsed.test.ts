import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkRehearsed, keepRehearsed } from "./rehearsed.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "rehearsed-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A synthesis of these stacks, each with a template that holds this. */
const synthesis = async (stacks: Readonly<Record<string, unknown>>): Promise<void> => {
  const templateFile = (stack: string) => `${stack}.template.json`;
  const artifacts = Object.keys(stacks).map((stack) => [stack, { properties: { templateFile: templateFile(stack) } }]);
  const others = { tree: {}, "shop.assets": { properties: {} } };
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ artifacts: { ...others, ...Object.fromEntries(artifacts) } }));
  for (const [stack, held] of Object.entries(stacks)) await writeFile(join(folder, templateFile(stack)), JSON.stringify(held));
};

test("what was rehearsed may be deployed, and nothing else", async () => {
  await synthesis({ "shop-data": "first", shop: "first" });
  expect(() => checkRehearsed(folder, "shop")).toThrow("not what was rehearsed: shop-data, shop. Run `npm run rehearse -- --stage shop`");
  keepRehearsed(folder);
  checkRehearsed(folder, "shop");
  await synthesis({ "shop-data": "second", shop: "first" });
  expect(() => checkRehearsed(folder, "shop")).toThrow("not what was rehearsed: shop-data.");
});

test("stages are rehearsed each for itself, and one does not forget the other", async () => {
  await synthesis({ shop: "first" });
  keepRehearsed(folder);
  await synthesis({ other: "first" });
  expect(() => checkRehearsed(folder, "other")).toThrow("not what was rehearsed: other.");
  keepRehearsed(folder);
  checkRehearsed(folder, "other");
  await synthesis({ shop: "first" });
  checkRehearsed(folder, "shop");
});

test("how many functions are reserved is the account's, and no reason to rehearse again", async () => {
  const capture = { Type: "AWS::Lambda::Function", Properties: { MemorySize: 512 } };
  await synthesis({ shop: { capture } });
  keepRehearsed(folder);
  const reserved = (more: object) => ({ ...capture, Properties: { ...capture.Properties, ReservedConcurrentExecutions: 446, ...more } });
  await synthesis({ shop: { capture: reserved({}) } });
  checkRehearsed(folder, "shop");
  await synthesis({ shop: { capture: reserved({ MemorySize: 1_024 }) } });
  expect(() => checkRehearsed(folder, "shop")).toThrow("not what was rehearsed: shop.");
});
