import openapiTS from "openapi-typescript";
import { expect, it } from "vitest";
import { describeGroups } from "../../functions/docs/description.ts";
import { groups } from "../../functions/index.ts";
import { SCOPES, SECRET_KEY_SCOPES } from "../../lib/keys/scopes.ts";

const HEAD = `// The types of the API's description, for the console's client. Made by
// \`npx vitest run test/contract/console-client.test.ts -u\`, and held to the description by that test.
`;

/** What people read, and the examples: types need neither. */
const WORDS = new Set(["description", "summary", "title", "example", "examples", "default"]);

const withoutWords = (value: unknown, isNames = false): unknown => {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(
    ([key, inner]) => isNames || !WORDS.has(key) || (typeof inner === "object" && key !== "examples" && key !== "example"),
  );
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutWords(inner, !isNames && key === "properties")]));
};

it("the console's client has the types of the description", async () => {
  const hosts = { baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org" };
  const document = JSON.parse(await describeGroups(() => groups)(hosts));
  const types = await openapiTS(withoutWords(document) as Parameters<typeof openapiTS>[0]);
  const body = types.slice(types.indexOf("export interface paths"));
  await expect(HEAD + body).toMatchFileSnapshot("../../functions/console/calls/api.d.ts");
});

it("the console knows the scopes that keys can have", async () => {
  const list = (name: string, scopes: readonly string[]) =>
    `export const ${name} = [\n${scopes.map((scope) => `  "${scope}",\n`).join("")}] as const;\n`;
  const text = [
    "// The scopes of keys, for the console. Made and held to the platform's own as `api.d.ts` is.\n",
    "/** What a personal key can have, beside `*`. */",
    list("SCOPES", SCOPES),
    "/** What a secret key of a project can have. */",
    list("SECRET_KEY_SCOPES", SECRET_KEY_SCOPES),
  ];
  await expect(text.join("\n")).toMatchFileSnapshot("../../functions/console/calls/scopes.ts");
});
