import { describe, expect, it } from "vitest";
import { GENERATION } from "../core/formats.ts";
import { fixedSecret } from "../ports/secret.ts";
import { settings } from "./environment.ts";

const A_SECRET = { read: expect.any(Function), renew: expect.any(Function) };

describe("settings", () => {
  it("keep their defaults where nothing, or nothing but an empty text, is given", () => {
    expect(settings({ QUERY_TIME_MS: "" })).toEqual({
      baseUrl: "",
      ingestUrl: "",
      suggestionTimeMs: 150_000,
      throttleScale: 1,
      concurrentRuns: 10,
      queryTimeMs: 20_000,
      unknownToken: "enforce",
      engineDiskBytes: 4_000_000_000,
      engineMemoryMb: 1_500,
      clickhouseUrl: "",
      clickhouseUser: "default",
      clickhousePassword: A_SECRET,
      clickhouseCluster: "",
      clickhouseAboveMb: 1_500,
      writeFormats: GENERATION,
      fileRows: 250_000,
      symbolSetsMb: 10_000,
      compaction: "deployed",
      publish: "none",
      githubApi: "https://api.github.com",
      gitlabOrigin: "https://gitlab.com",
      linearApi: "https://api.linear.app",
      jiraApi: "https://api.atlassian.com",
      githubToken: A_SECRET,
      gitlabToken: A_SECRET,
      llmAnalyticsProjectId: 0,
      paymentProvider: "none",
      stripeUrl: "https://api.stripe.com",
      stripeSecretKey: A_SECRET,
      stripeWebhookSecret: A_SECRET,
      billingPortalUrl: "",
      personalSpendShape: "array",
      erasure: "operator",
      billingServiceUrl: "",
      billingLicense: A_SECRET,
      mailFrom: "",
      canary: "",
      canaryKey: A_SECRET,
      webhookHosts: [],
    });
  });

  it("are read from the variables of their names", () => {
    const read = settings({
      BASE_URL: "https://a.test",
      THROTTLE_SCALE: "0.5",
      QUERY_TIME_MS: "5000",
      UNKNOWN_TOKEN: "off",
      COMPACTION: "local",
    });
    expect(read).toMatchObject({
      baseUrl: "https://a.test",
      throttleScale: 0.5,
      queryTimeMs: 5000,
      unknownToken: "off",
      compaction: "local",
    });
  });

  it("are secrets in themselves, or in what lies under a name", async () => {
    const environment = { GITHUB_TOKEN: "a token", GITLAB_TOKEN_PARAMETER: "/platform/gitlab" };
    const read = settings(environment, (field, name) => fixedSecret(`${field} under ${name}`));
    expect(await read.githubToken.read()).toBe("a token");
    expect(await read.gitlabToken.read()).toBe("gitlabToken under /platform/gitlab");
    expect(await read.stripeSecretKey.read()).toBe("");
  });

  it.each([
    ["QUERY_TIME_MS", "25001"],
    ["QUERY_TIME_MS", "1.5"],
    ["CONCURRENT_RUNS", "0"],
    ["THROTTLE_SCALE", "fast"],
    ["GITHUB_API", "http://example.org"],
    ["GITLAB_ORIGIN", "https://user@example.org"],
    ["JIRA_API", "https://example.org/"],
    ["THROTTLE_SCALE", "Infinity"],
    ["CLICKHOUSE_URL", "http://clickhouse.example.org"],
    ["CLICKHOUSE_CLUSTER", "a', 'b"],
    ["CLICKHOUSE_ABOVE_MB", "-1"],
    ["UNKNOWN_TOKEN", "dry_run"],
  ])("refuse %s = %s and name the setting", (name, text) => {
    expect(() => settings({ [name]: text })).toThrow(/^the setting \w+ must be /);
  });
});
