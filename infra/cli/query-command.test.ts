import { expect, test } from "vitest";
import { aPlatform, aTenant, eventually } from "../../test/support/processes/platform.ts";
import { run } from "./run.ts";

const platform = aPlatform();

const admin = (...words: readonly string[]) => run([...words, "--data-dir", platform().dataDir], {});

test("query answers over the directory of a platform that runs, as a table, JSON or CSV, and says what is wrong with a query", async () => {
  const { projectId, projectToken } = await aTenant(platform().world);
  const ask = (text: string, ...more: readonly string[]) => admin("query", text, "--project", String(projectId), ...more);
  const batch = [
    { event: "buy", distinct_id: "ana", properties: { price: -5, note: "=1+1" } },
    { event: "buy", distinct_id: "bob", properties: { note: 'a "b",\u001b[2J' } },
  ];
  const sent = await fetch(`${platform().ingestUrl}/batch/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: projectToken, batch }),
  });
  expect(sent.status).toBe(200);
  const rows = "SELECT distinct_id AS who, properties.price AS price, properties.note AS note FROM events ORDER BY who";
  await eventually(async () => expect(await ask("SELECT count() AS n FROM events")).toBe("n\n2\n"), { everyMs: 250 });

  expect(await ask(rows)).toBe('who  price  note\nana  -5     =1+1\nbob  NULL   a "b",\\u001b[2J\n');
  expect(await ask(rows, "--csv")).toBe('who,price,note\nana,-5,\'=1+1\nbob,,"a ""b"",\u001b[2J"\n');
  expect(JSON.parse(await ask(rows, "--json"))).toMatchObject({
    columns: ["who", "price", "note"],
    types: [
      ["who", expect.any(String)],
      ["price", expect.any(String)],
      ["note", expect.any(String)],
    ],
    results: [
      ["ana", -5, "=1+1"],
      ["bob", null, 'a "b",\u001b[2J'],
    ],
  });
  expect((await ask("SELECT number FROM numbers(1000)")).split("\n")).toHaveLength(102);

  await expect(ask("SELECT nothing FROM events")).rejects.toMatchObject({
    name: "UserError",
    message: expect.stringMatching(/^Invalid HogQL query: .*nothing.* \(line 1, column 8\)\nSELECT nothing FROM events\n {7}\^$/),
  });
  await expect(ask("SELECT toInt('x')  FROM events WHERE {variables.e}")).rejects.toMatchObject({ name: "UserError" });
  await expect(ask("SELECT throwIf(1)")).rejects.toMatchObject({ name: "UserError" });
  await expect(admin("query", "SELECT 1")).rejects.toThrow("Give the project's id");
});
