import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually as eventuallyOften } from "../../support/processes/platform.ts";

const platform = aPlatform();
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** A key may ask 60 times a minute, however long what was sent takes to show. */
const eventually = (look: () => Promise<void>) => eventuallyOften(look, { everyMs: 500 });

interface Sent {
  readonly event: string;
  readonly distinct_id: string;
  readonly ageMs?: number;
  readonly uuid?: string;
  readonly properties?: object;
}

/** Together with those that wait for the last event, fewer than a key may make in a minute. */
const POLLS_MEANWHILE = 25;
/** What one answer may show, and fewer events: however many of them are stored at once, no answer leaves any out. */
const LARGEST_ANSWER = 200;
const SENT_BY_MANY = 180;

interface Project {
  readonly tenant: ATenant;
  readonly api: ApiClient;
  readonly live: (query?: Readonly<Record<string, string | number>>) => Promise<Answer>;
  readonly send: (...events: readonly Sent[]) => Promise<void>;
}

interface Answer {
  readonly results: readonly { readonly uuid: string; readonly event: string; readonly properties: Readonly<Record<string, unknown>> }[];
  readonly next: string;
  readonly minutes: readonly { readonly minute: string; readonly events: number }[];
  readonly has_more: boolean;
}

const aProject = async (): Promise<Project> => {
  const tenant = await aTenant(platform().world);
  const api = apiClient(platform().baseUrl, tenant.personalKey);
  return {
    tenant,
    api,
    async live(query = {}) {
      const text = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
      const { status, body } = await api.get(`/api/projects/${tenant.projectId}/live_events/?${text}`);
      expect({ status, body: status === 200 ? {} : body }).toEqual({ status: 200, body: {} });
      return body as Answer;
    },
    async send(...events) {
      const batch = events.map(({ ageMs = 0, ...event }) => ({ ...event, timestamp: new Date(Date.now() - ageMs).toISOString() }));
      const body = JSON.stringify({ api_key: tenant.projectToken, batch });
      expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
    },
  };
};

const names = ({ results }: Pick<Answer, "results">) => results.map(({ event }) => event);
const total = ({ minutes }: Answer) => minutes.reduce((sum, { events }) => sum + events, 0);

/** Asks again and again, each time after the answer before, until it has had so many events; the answers that had any. */
const follow = async (project: Project, first: Answer, count: number, query = {}): Promise<readonly Answer[]> => {
  const answers: Answer[] = [];
  let { next } = first;
  await eventually(async () => {
    const answer = await project.live({ ...query, after: next });
    next = answer.next;
    if (answer.results.length > 0) answers.push(answer);
    expect(answers.flatMap(names).length).toBeGreaterThanOrEqual(count);
  });
  return answers;
};

describe("GET live_events/", () => {
  describe("200", () => {
    it("shows the first event of a project, and each later one once", async () => {
      const project = await aProject();
      const empty = await project.live();
      expect(empty).toMatchObject({ results: [], has_more: false });
      expect(empty.minutes).toHaveLength(60);
      await project.send({ event: "first", distinct_id: "ana", properties: { big: 1, deep: { a: [1] } } });
      const [answer] = await follow(project, empty, 1);
      expect(answer?.results).toEqual([
        {
          uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          event: "first",
          timestamp: expect.stringMatching(/Z$/),
          created_at: expect.stringMatching(/Z$/),
          distinct_id: "ana",
          person_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          properties: expect.objectContaining({ big: 1, deep: { a: [1] } }),
        },
      ]);
      const next = String(answer?.next);
      expect(await project.live({ after: next })).toMatchObject({ results: [], minutes: [], has_more: false });
      await project.send({ event: "second", distinct_id: "ana" });
      expect((await follow(project, { ...empty, next }, 1)).flatMap(names)).toEqual(["second"]);
      expect(names(await project.live())).toEqual(["second", "first"]);
    });

    it("shows an event that comes late with an old time, and counts the minute that it is of", async () => {
      const project = await aProject();
      await project.send({ event: "now", distinct_id: "ana" });
      const [first] = await follow(project, await project.live(), 1);
      await project.send(
        { event: "old", distinct_id: "ana", ageMs: 20 * DAY_MS },
        { event: "late", distinct_id: "ana", ageMs: 30 * MINUTE_MS },
      );
      const late = await follow(project, first as Answer, 2);
      expect(late.flatMap(names).toSorted()).toEqual(["late", "old"]);
      expect(late.at(-1)?.minutes.length).toBeGreaterThanOrEqual(30);
      expect(total(await project.live())).toBe(2);
    });

    it("shows what a quiet project had in the last 30 days", async () => {
      const project = await aProject();
      await project.send(
        { event: "quiet", distinct_id: "ana", ageMs: 3 * DAY_MS },
        { event: "older", distinct_id: "ana", ageMs: 40 * DAY_MS },
      );
      await eventually(async () => expect(names(await project.live())).toEqual(["quiet"]));
    });

    it("shows the newest of many, and counts all", async () => {
      const project = await aProject();
      const first = await project.live();
      await project.send(...Array.from({ length: 30 }, (_, at) => ({ event: `e${at}`, distinct_id: "ana" })));
      await eventually(async () => expect(total(await project.live())).toBe(30));
      const answer = await project.live({ after: first.next, limit: 7 });
      expect({ shown: answer.results.length, more: answer.has_more, counted: total(answer) }).toEqual({
        shown: 7,
        more: true,
        counted: 30,
      });
      expect((await project.live({ limit: 7 })).has_more).toBe(true);
    });

    it.each([
      ["now", 0],
      ["in the first year", Date.now() - Date.parse("0001-01-01")],
    ])("does not show again what is sent again, of a time %s", async (_, ageMs) => {
      const project = await aProject();
      const twice = { event: "twice", distinct_id: "ana", uuid: "0198a5b2-4b7e-7c3e-9d51-000000000001", ageMs };
      const first = await project.live();
      await project.send(twice);
      const [shown] = await follow(project, first, 1);
      await project.send(twice);
      await project.send({ event: "after", distinct_id: "ana" });
      expect((await follow(project, shown as Answer, 1)).flatMap(names)).toEqual(["after"]);
      expect(total(await project.live())).toBe(ageMs === 0 ? 2 : 1);
    });

    it("shows each event once while many send, some late and some twice, and rows are gathered", async () => {
      const project = await aProject();
      const uuids = Array.from({ length: SENT_BY_MANY }, (_, at) => `0198a5b2-4b7e-7c3e-9d52-${String(at).padStart(12, "0")}`);
      const ages = [0, 90 * MINUTE_MS, 25 * DAY_MS, 0, 400 * DAY_MS];
      const event = (uuid: string, at: number) => ({ event: "busy", distinct_id: `p${at % 9}`, uuid, ageMs: ages[at % 5] ?? 0 });
      const shown: string[] = [];
      let { next } = await project.live();
      const poll = async (): Promise<void> => {
        const answer = await project.live({ after: next, limit: LARGEST_ANSWER });
        expect(answer.has_more).toBe(false);
        next = answer.next;
        shown.push(...answer.results.map(({ uuid }) => uuid));
      };
      const sending = Promise.all(
        [0, 1, 2].map(async (sender) => {
          for (let at = sender; at < uuids.length; at += 12) {
            const some = uuids.map(event).filter((_, index) => index >= at && index < at + 12 && (index - at) % 3 === 0);
            await project.send(...some);
            if (at % 4 === 0) await project.send(...some.slice(0, 1));
          }
        }),
      );
      let isSending = true;
      const sent = sending.finally(() => {
        isSending = false;
      });
      for (let polls = 0; isSending && polls < POLLS_MEANWHILE; polls += 1) await poll();
      await sent;
      await eventually(async () => {
        await poll();
        expect(new Set(shown).size).toBe(uuids.length);
      });
      expect(shown.toSorted()).toEqual(uuids);
    });

    it("filters by name, distinct id, person and property", async () => {
      const project = await aProject();
      const first = await project.live();
      await project.send(
        { event: "it's", distinct_id: "ana", properties: { plan: "free", price: 7, paid: true, "a b.c": "x" } },
        { event: "viewed", distinct_id: "bob", properties: { plan: "pro", price: 8 } },
        { event: "$identify", distinct_id: "carl", properties: { $anon_distinct_id: "carl-before" } },
        { event: "earlier", distinct_id: "carl-before" },
      );
      await eventually(async () => expect(names(await project.live()).toSorted()).toEqual(["$identify", "earlier", "it's", "viewed"]));
      const both = async (query: Readonly<Record<string, string>>) => {
        const [all, since] = [await project.live(query), await project.live({ ...query, after: first.next })];
        expect(names(since)).toEqual(names(all));
        expect([total(since), total(all)]).toEqual([all.results.length, all.results.length]);
        return names(all).toSorted();
      };
      expect(await both({ event: "it's" })).toEqual(["it's"]);
      expect(await both({ event: "none" })).toEqual([]);
      expect(await both({ distinct_id: "bob" })).toEqual(["viewed"]);
      expect(await both({ property: "plan", value: "pro" })).toEqual(["viewed"]);
      expect(await both({ property: "price", value: "7" })).toEqual(["it's"]);
      expect(await both({ property: "paid", value: "true" })).toEqual(["it's"]);
      expect(await both({ property: "a b.c", value: "x" })).toEqual(["it's"]);
      expect(await both({ property: "price" })).toEqual(["it's", "viewed"]);
      const [carl] = (await project.live({ distinct_id: "carl" })).results;
      expect(await both({ person_id: String(Object(carl).person_id).toUpperCase() })).toEqual(["$identify", "earlier"]);
    });

    it("begins anew with a cursor that is too old, or was given before the clock was set back", async () => {
      const project = await aProject();
      const { next } = await project.live();
      await project.send({ event: "kept", distinct_id: "ana" });
      await eventually(async () => expect(names(await project.live())).toEqual(["kept"]));
      const [version, id, at = "", from, seen] = (await project.live()).next.split(".");
      for (const minutes of [-11, 60]) {
        const other = [version, id, (Number.parseInt(at, 36) + minutes * MINUTE_MS).toString(36), from, seen].join(".");
        const answer = await project.live({ after: other });
        expect({ names: names(answer), minutes: answer.minutes.length }).toEqual({ names: ["kept"], minutes: 60 });
        expect(next).not.toBe(other);
      }
    });
  });

  describe("400", () => {
    it.each<[string, string, string]>([
      ["a text that is no cursor", "after=x", "after"],
      ["a cursor of another project", "after=1.999999.mhx0.01K.", "after"],
      ["a value without a property", "value=x", "value"],
      ["no event", "limit=0", "limit"],
      ["too many events", "limit=201", "limit"],
    ])("refuses %s by the parameter", async (_, query, attr) => {
      const { tenant, api } = await aProject();
      expect(await api.get(`/api/projects/${tenant.projectId}/live_events/?${query}`)).toMatchObject({ status: 400, body: { attr } });
    });
  });
});

describe("tenants", () => {
  let other: Project;
  beforeAll(async () => {
    other = await aProject();
    await other.send({ event: "theirs", distinct_id: "ana" });
    await eventually(async () => expect(names(await other.live())).toEqual(["theirs"]));
  });

  it("shows none of another project's events, and does not take its key", async () => {
    const mine = await aProject();
    expect(names(await mine.live())).toEqual([]);
    expect(await mine.api.get(`/api/projects/${other.tenant.projectId}/live_events/`)).toMatchObject({ status: 403 });
  });

  it("401 without a key that is known, 403 without the scope", async () => {
    const path = `/api/projects/${other.tenant.projectId}/live_events/`;
    expect((await apiClient(platform().baseUrl, "phx_nobody").get(path)).status).toBe(401);
    const without = await aTenant(platform().world, { scopes: ["endpoint:read"] });
    const refused = await apiClient(platform().baseUrl, without.personalKey).get(`/api/projects/${without.projectId}/live_events/`);
    expect(refused).toMatchObject({ status: 403 });
  });
});
