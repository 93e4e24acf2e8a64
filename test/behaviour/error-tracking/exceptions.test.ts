import { PostHog } from "posthog-node";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { CORPUS } from "../../stacks/corpus.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
});

const Issue = z.strictObject({
  id: z.guid(),
  status: z.string(),
  severity: z.string().nullable(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  first_seen: z.string(),
  assignee: z.unknown(),
  external_issues: z.array(z.unknown()),
  cohort: z.null(),
});
const Issues = z.object({ count: z.int(), results: z.array(Issue) });

const issuesNamed = async (name: string) => {
  const answer = await api.get(`/api/projects/${tenant.projectId}/error_tracking/issues/?limit=1000`);
  expect(answer.status).toBe(200);
  return Issues.parse(answer.body).results.filter((issue) => issue.name === name);
};

/** The stored properties of events of a type of exception. */
const storedOf = async (type: string): Promise<readonly Record<string, unknown>[]> => {
  const name = `of-${type.toLowerCase()}`;
  const path = `/api/projects/${tenant.projectId}/endpoints/`;
  await api.post(path, {
    name,
    query: sqlQuery(
      `SELECT toString(properties) FROM events WHERE event = '$exception' AND properties.marker = '${type}' ORDER BY timestamp`,
    ),
  });
  const answer = await api.post(`${path}${name}/run/`, { refresh: "force" });
  expect(answer.status).toBe(200);
  const { results } = z.object({ results: z.array(z.tuple([z.string()])) }).parse(answer.body);
  return results.map(([text]) => z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
};

const send = async (...events: readonly object[]): Promise<void> => {
  const response = await fetch(`${platform().baseUrl}/batch/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: tenant.projectToken, batch: events }),
  });
  expect(response.status).toBe(200);
};
const exception = (list: unknown, more: object = {}, timestamp = "2026-03-01T10:00:00Z") => ({
  event: "$exception",
  distinct_id: "user-1",
  timestamp,
  properties: { $exception_list: list, ...more },
});

describe("captureException of posthog-node", () => {
  it("makes one issue of an error that comes twice, with its name, its message and no assignee", async () => {
    const client = new PostHog(tenant.projectToken, { host: platform().baseUrl, flushAt: 1 });
    class CartError extends Error {
      override readonly name = "CartError";
    }
    const fail = (): Error => new CartError("cart is empty");
    for (const person of ["ana", "bo"]) client.captureException(fail(), person, { marker: "CartError" });
    await client.shutdown();
    const stored = await eventually(async () => {
      const found = await storedOf("CartError");
      expect(found).toHaveLength(2);
      return found;
    });
    const [issue, ...others] = await issuesNamed("CartError");
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ status: "active", severity: null, description: "cart is empty", assignee: null, external_issues: [] });
    for (const properties of stored) {
      expect(properties).toMatchObject({
        $exception_issue_id: issue?.id,
        $exception_types: ["CartError"],
        $exception_values: ["cart is empty"],
        $exception_fingerprint: expect.stringMatching(/^[0-9a-f]{128}$/),
        $exception_fingerprint_version: "v1",
        $exception_handled: true,
        $exception_list: [{ id: expect.any(String), stacktrace: { type: "resolved", frames: expect.any(Array) } }],
      });
    }
  });
});

describe("a $exception event", () => {
  it("of any SDK falls into its issue, and into no other", async () => {
    const share = Object.entries(CORPUS).flatMap(([sdk, stacks]) => stacks.slice(0, 4).map((stack) => ({ sdk, ...stack })));
    const events = share.map(({ properties: { $exception_list, ...more }, told, sdk }) =>
      exception($exception_list, { ...more, marker: "corpus", told: `${sdk}: ${told}` }),
    );
    await send(...events);
    const stored = await eventually(async () => {
      const found = await storedOf("corpus");
      expect(found).toHaveLength(share.length);
      return found;
    });
    const issues = new Map(stored.map(({ told, $exception_issue_id: id }) => [told, id]));
    const together = (key: (stack: (typeof share)[number]) => unknown) =>
      [...Map.groupBy(share, (stack) => JSON.stringify([stack.sdk, key(stack)])).values()].map((group) => group.map(({ told }) => told));
    expect(together(({ sdk, told }) => issues.get(`${sdk}: ${told}`) ?? told)).toEqual(together(({ issue }) => issue));
  });

  it("takes the client's own fingerprint, name and description", async () => {
    const own = { $exception_fingerprint: "checkout", $issue_name: "Checkout fails", $issue_description: "often", $issue_severity: "high" };
    await send(exception([{ type: "A" }], { marker: "own", ...own }), exception([{ type: "B" }], { marker: "own", ...own }));
    await eventually(async () => expect(await storedOf("own")).toHaveLength(2));
    expect(await issuesNamed("Checkout fails")).toMatchObject([
      { description: "often", severity: "high", first_seen: "2026-03-01T10:00:00Z" },
    ]);
    for (const properties of await storedOf("own")) expect(properties).not.toHaveProperty("$exception_fingerprint_version");
  });

  it("that cannot be read is stored with what is wrong and has no issue, and the others of its request have theirs", async () => {
    const poison = [undefined, "x", [], [null]];
    const odd = [
      [{ type: { toString: 1 } }],
      [{ type: "E", stacktrace: { type: "raw", frames: [{ platform: "cobol", function: "f" }, 5] } }],
    ];
    const lists = [...poison, ...odd, [{ type: "Healthy" }]];
    await send(
      ...lists.map((list) => exception(list, { marker: "poison", $exception_issue_id: "of-the-client", $exception_types: ["Of"] })),
    );
    const stored = await eventually(async () => {
      const found = await storedOf("poison");
      expect(found).toHaveLength(lists.length);
      return found;
    });
    expect(stored.filter((properties) => "$cymbal_errors" in properties)).toHaveLength(poison.length + odd.length);
    const unread = stored.filter((properties) => !("$exception_issue_id" in properties));
    expect(unread).toHaveLength(poison.length);
    for (const properties of unread) expect(properties).not.toHaveProperty("$exception_types");
    expect(await issuesNamed("Healthy")).toHaveLength(1);
  });

  it("that is a chain of thousands, or has a stack of thousands of frames, is stored whole", async () => {
    const frame = (index: number) => ({ platform: "python", filename: "a.py", function: `f${index}`, lineno: index });
    const long = Array.from({ length: 3_000 }, (_, index) => ({ type: `Long${index}`, value: "x".repeat(50) }));
    const deep = [{ type: "DeepStack", stacktrace: { type: "raw", frames: Array.from({ length: 3_000 }, (_, index) => frame(index)) } }];
    await send(exception(long, { marker: "huge" }), exception(deep, { marker: "huge" }));
    await eventually(async () => expect(await storedOf("huge")).toHaveLength(2));
    expect(await issuesNamed("Long0")).toHaveLength(1);
    expect(await issuesNamed("DeepStack")).toHaveLength(1);
  });
});

describe("queries", () => {
  const rowsOf = async (name: string): Promise<unknown> => {
    const answer = await api.post(`/api/projects/${tenant.projectId}/endpoints/${name}/run/`, { refresh: "force" });
    expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
    return z.object({ results: z.unknown() }).parse(answer.body).results;
  };

  it("see each exception under the issue that it belongs to now, also after a merge and when that is taken back", async () => {
    const base = `/api/projects/${tenant.projectId}/error_tracking/issues`;
    const of = (type: string, day: number) =>
      exception([{ type }], { marker: "counted", $exception_fingerprint: `#${type}'"` }, `2026-03-0${day}T10:00:00Z`);
    await send(of("CountA", 1), of("CountA", 1), of("CountA", 2), of("CountB", 2), { event: "plain", distinct_id: "user-1" });
    await eventually(async () => expect(await storedOf("counted")).toHaveLength(4));
    await api.post(`/api/projects/${tenant.projectId}/endpoints/`, {
      name: "per-issue",
      query: sqlQuery(
        "SELECT issue_id, toDate(timestamp) AS day, count() AS n FROM events WHERE properties.marker = 'counted' GROUP BY issue_id, day ORDER BY day, n DESC",
      ),
    });
    const [[a], [b]] = await Promise.all([issuesNamed("CountA"), issuesNamed("CountB")]);
    const apart = [
      [a?.id, "2026-03-01", 2],
      [a?.id, "2026-03-02", 1],
      [b?.id, "2026-03-02", 1],
    ];
    expect(await rowsOf("per-issue")).toEqual(expect.arrayContaining(apart));
    expect((await api.post(`${base}/${a?.id}/merge/`, { ids: [b?.id] })).body).toEqual({ success: true });
    expect(await rowsOf("per-issue")).toEqual([
      [a?.id, "2026-03-01", 2],
      [a?.id, "2026-03-02", 2],
    ]);
    const split = await api.post(`${base}/${a?.id}/split/`, { fingerprints: [{ fingerprint: `#CountB'"` }] });
    const { new_issue_ids } = z.object({ new_issue_ids: z.array(z.string()) }).parse(split.body);
    expect(await rowsOf("per-issue")).toEqual(expect.arrayContaining([...apart.slice(0, 2), [new_issue_ids[0], "2026-03-02", 1]]));
  });

  it("know as many issues as the list, and none of what is no exception", async () => {
    await api.post(`/api/projects/${tenant.projectId}/endpoints/`, {
      name: "issues",
      query: sqlQuery("SELECT count(DISTINCT issue_id), countIf(event != '$exception' AND isNotNull(issue_id)) FROM events"),
    });
    const answer = await api.get(`/api/projects/${tenant.projectId}/error_tracking/issues/?limit=1`);
    expect(await rowsOf("issues")).toEqual([[Issues.parse(answer.body).count, 0]]);
  });
});
