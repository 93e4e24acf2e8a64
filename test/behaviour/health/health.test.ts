import { SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, describe, expect, it } from "vitest";
import { readRunning } from "../../../infra/local/stores/lock.ts";
import { deadLetterUrls } from "../../../infra/local/stores/queue-and-objects.ts";
import { embedded } from "../../../infra/local/world.ts";
import { sqsQueues } from "../../../lib/aws/aws-queues.ts";
import { recordFailure } from "../../../lib/lake/failures.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { keptLog } from "../../support/kept-log.ts";
import { type ATenant, aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";
import { messageOf } from "../../support/samples/capture-messages.ts";

const platform = itsOwnPlatform();
let tenant: ATenant;
let stranger: ATenant;
let api: ApiClient;
let path = "";

const health = async (of = tenant): Promise<unknown> => {
  const { status, body } = await apiClient(platform().baseUrl, of.personalKey).get(`/api/projects/${of.projectId}/health/`);
  expect(status).toBe(200);
  return body;
};

const capture = async (batch: readonly object[]): Promise<void> => {
  const body = JSON.stringify({ api_key: tenant.projectToken, batch });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

const count = async (event: string): Promise<unknown> => {
  const query = { kind: "HogQLQuery", query: `SELECT count() FROM events WHERE event = '${event}'` };
  return Object((await api.post(`/api/projects/${tenant.projectId}/query/`, { query })).body).results?.[0]?.[0];
};

const NOTHING_IN = (name: string) => ({ name, waiting: 0, in_flight: 0, dead_letters: 0 });

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  stranger = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/health/`;
});

describe("GET health/", () => {
  it("says of a project without an event that nothing waits", async () => {
    await eventually(async () =>
      expect(await health()).toEqual({
        status: "ok",
        summary: "All events are stored, and nothing waits.",
        lanes: [NOTHING_IN("live"), NOTHING_IN("historical"), NOTHING_IN("jobs")],
        storage: {
          newest_stored_at: null,
          delay_seconds: null,
          segments_waiting: 0,
          deltas_waiting: 0,
          oldest_waiting_at: null,
          has_more: false,
        },
        jobs: [],
        misfits: [],
      }),
    );
  });

  it("says how soon the latest events were stored, and which values did not fit their type", async () => {
    // Of the few bits that count a type's events, so many events choose more than one.
    await capture(
      [...Array(12).keys(), "heavy"].map((weight, index) => ({ event: "weighed", distinct_id: `p${index}`, properties: { weight } })),
    );
    const misfit = { property: "weight", owner: "event", group_type_index: null, type: "Numeric", values: 1 };
    await eventually(async () =>
      expect(await health()).toMatchObject({
        status: "ok",
        summary: expect.stringMatching(/^All events are stored, the latest within \d+ seconds?\.$/),
        storage: { newest_stored_at: expect.any(String), delay_seconds: expect.any(Number) },
        misfits: [misfit],
      }),
    );
    expect(await health(stranger)).toMatchObject({ storage: { newest_stored_at: null, delay_seconds: null }, misfits: [] });
  });

  it("names the jobs of the project that fail, without their errors, and no other project's", async () => {
    const job = { kind: "compact", project: tenant.projectId, partition: "2026-10", upTo: "", seal: false } as const;
    await recordFailure(platform().world, POLICIES.deployed, job, undefined, "arn:of:something");
    const told = await health();
    expect(told).toMatchObject({
      status: "failing",
      summary: expect.stringContaining("1 job of this project fails"),
      jobs: [
        {
          kind: "compact",
          partition: "2026-10",
          attempts: 1,
          advice: expect.stringContaining(`admin -- usage --project ${tenant.projectId}`),
        },
      ],
    });
    expect(JSON.stringify(told)).not.toContain("arn:of");
    expect(await health(stranger)).toMatchObject({ status: "ok", jobs: [] });
  });
});

describe("POST health/redrive/", () => {
  const redrive = (key: string, body: unknown = { lane: "live" }) => apiClient(platform().baseUrl, key).post(`${path}redrive/`, body);

  /** Puts messages where those end that were given up on. */
  const giveUpOn = async (...bodies: readonly string[]): Promise<void> => {
    const store = readRunning(platform().dataDir)?.store ?? "";
    const letters = sqsQueues(new SQSClient(embedded(store)), deadLetterUrls(store), keptLog());
    expect(
      await letters.send(
        "live",
        bodies.map((body, id) => ({ id: String(id), body })),
      ),
    ).toEqual([]);
  };

  it("200: the dead letters of a lane are tried anew, and their events are stored once", async () => {
    const received = String(Date.now() * 1_000);
    const message = messageOf([{ event: "returned", distinct_id: "ana" }], {
      project: tenant.projectId,
      organization: tenant.organizationId,
      received,
    });
    await giveUpOn(message, message);
    expect(await health(stranger)).toMatchObject({
      status: "failing",
      summary: expect.stringContaining("2 messages of the live lane could not be stored"),
      lanes: [{ name: "live", dead_letters: 2 }, NOTHING_IN("historical"), { name: "jobs" }],
    });
    expect(await redrive(tenant.personalKey)).toMatchObject({ status: 200, body: { lane: "live", moved: 2, has_more: false } });
    await eventually(async () => expect(await health()).toMatchObject({ lanes: [NOTHING_IN("live"), {}, {}] }));
    await eventually(async () => expect(await count("returned")).toBe(1));
    expect(await redrive(tenant.personalKey)).toMatchObject({ status: 200, body: { lane: "live", moved: 0, has_more: false } });
    expect(await count("returned")).toBe(1);
  });

  it("400: a lane has to be named, and be one", async () => {
    expect(await redrive(tenant.personalKey, {})).toMatchObject({ status: 400, body: { attr: "lane", code: "required" } });
    expect(await redrive(tenant.personalKey, { lane: "slow" })).toMatchObject({ status: 400, body: { attr: "lane" } });
  });

  it("403: neither with a key that may only read, nor to a member, who may all the same look", async () => {
    const reader = await aTenant(platform().world, { scopes: ["project:read"] });
    const member = await aTenant(platform().world, { level: "member" });
    const refused = async ({ personalKey, projectId }: ATenant) => {
      const client = apiClient(platform().baseUrl, personalKey);
      expect((await client.get(`/api/projects/${projectId}/health/`)).status).toBe(200);
      const { status, body } = await client.post(`/api/projects/${projectId}/health/redrive/`, { lane: "live" });
      return [status, Object(body).detail];
    };
    expect(await refused(reader)).toEqual([403, "API key missing required scope 'project:write'"]);
    expect(await refused(member)).toEqual([403, "Your organization access level is insufficient."]);
  });
});
