import { expect, it } from "vitest";
import { pythonSamples } from "./samples.ts";

// What openapi-python-client 0.29 writes.
it.each([
  ["daily-pageviews", "daily_pageviews"],
  ["dailyPageviews", "daily_pageviews"],
  ["dailyHTTPCount", "daily_http_count"],
  ["DAU", "dau"],
  ["top10-users", "top10_users"],
  ["top10Users", "top_10_users"],
  ["x1Y2", "x_1y2"],
  ["Q3report", "q3_report"],
  ["a--b", "a_b"],
  ["tail-", "tail"],
])("a sample in Python calls the run of %s as its generated client does", (name, word) => {
  const [inTerminal, program] = pythonSamples({
    endpoint: { name, endpoint_path: `/api/projects/1/endpoints/${name}/run` },
    variables: {},
    root: "http://127.0.0.1:8000",
    file: `${name}.json`,
    fetchOlder: "curl",
  });
  expect(inTerminal?.text).toContain(` --output-path ${word}_client `);
  expect(program?.text).toContain(`from ${word}_client.api.default import run_${word}\n`);
});
