import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { signature } from "../../../lib/notices/signature.ts";
import { findPython } from "../../support/processes/python.ts";

/** The code of a language on the page that customers read. */
const page = readFileSync("infra/webhooks.md", "utf8");
const code = (language: string): string => new RegExp(`\`\`\`${language}\\n([\\s\\S]+?)\`\`\``).exec(page)?.[1] ?? "";

const NOW = Date.UTC(2026, 6, 9, 12);
const MINUTE = 60_000;
const SECRET = "whsec_example";
const BODY = '{"id":"evt_1","data":{"name":"Größe"}}';
const sent = signature(BODY, SECRET, NOW);

/** What is received, and whether it is to be believed. */
const CASES = [
  [true, BODY, sent, SECRET, NOW],
  [true, BODY, sent, SECRET, NOW + 5 * MINUTE],
  [false, BODY, sent, SECRET, NOW + 5 * MINUTE + 1_000],
  [false, BODY, sent, SECRET, NOW - 6 * MINUTE],
  [false, `${BODY} `, sent, SECRET, NOW],
  [false, BODY, sent, "whsec_other", NOW],
  [false, BODY, sent.replace(/v1=.*/, `v1=${"0".repeat(64)}`), SECRET, NOW],
  [false, BODY, sent.replace(/t=\d/, "t=2"), SECRET, NOW],
  [false, BODY, `v1=${"0".repeat(64)}`, SECRET, NOW],
  [false, BODY, "", SECRET, NOW],
] as const;
const believed = CASES.map(([isBelieved]) => isBelieved);

describe("the code of the page on webhooks", () => {
  it("believes what is signed, as Node has it", async () => {
    const { verify } = await import(`data:text/javascript,${encodeURIComponent(`${code("js")}\nexport { verify };`)}`);
    expect(CASES.map(([, body, header, secret, now]) => verify(Buffer.from(body), header, secret, now))).toEqual(believed);
  });
  const python = findPython();
  it("and as Python has it, where there is one", async ({ skip }) => {
    const name = await python;
    if (name === undefined) return skip();
    const calls = CASES.map(([, body, header, secret, now]) => [body, header, secret, now / 1_000]);
    const asked = "import json, sys\nprint(json.dumps([verify(b.encode(), h, s, n) for b, h, s, n in json.load(sys.stdin)]))";
    const answer = execFileSync(name, ["-c", `${code("python")}\n${asked}`], { input: JSON.stringify(calls), encoding: "utf8" });
    expect(JSON.parse(answer)).toEqual(believed);
  });
});
