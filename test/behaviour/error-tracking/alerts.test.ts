import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { AlertNotices } from "../../../lib/error-tracking/alerts/notice.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import { SpikeDetectionConfigs } from "../../../lib/error-tracking/settings.ts";
import { SpikeEvents } from "../../../lib/error-tracking/spike-events.ts";
import type { Mail } from "../../../lib/ports/mail.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { list, put, update } from "../../../lib/table/store.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { aWebhookReceiver } from "../../support/fakes/webhook-receiver.ts";
import { sideBySide } from "../../support/side-by-side.ts";
import { alertWorld, anException } from "../../support/worlds/alert-world.ts";
import { aMembership, aUser } from "../../support/worlds/api-world.ts";

const receiver = aWebhookReceiver();
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.behaviours.length = 0;
});

const MINUTE = 60_000;
const times = <T>(count: number, of: T): readonly T[] => Array.from({ length: count }, () => of);
const methodsOf = (table: Table): Table => {
  const { get, put, update, remove, query, transact, getMany } = table;
  return { get, put, update, remove, query, transact, getMany };
};
const subjects = ({ letters }: { readonly letters: readonly { readonly subject: string }[] }) => letters.map(({ subject }) => subject);

describe("a new issue", () => {
  it("is told once, with its type, message, project and page, and nothing of the event", async () => {
    const world = await alertWorld();
    await world.rule();
    await world.ingest(anException("TypeError", "x is undefined\nBcc: all@acme.test", { $email: "secret@person.test" }));
    await world.ingest(anException("TypeError"));
    await world.send();
    const [issue] = await world.issues();
    expect(world.letters).toEqual([
      {
        to: [world.user.email],
        subject: "Project 1: New issue: TypeError",
        text: [
          "TypeError: x is undefined Bcc: all@acme.test",
          `https://app.acme.test/project/1/errors/${issue?.id}`,
          'The alert rule "On call" of the project Project 1 tells you this. It is silent about it for 30 minutes.',
        ].join("\n\n"),
      },
    ]);
    await world.send();
    expect(world.letters).toHaveLength(1);
  });

  it("is told by many rules side by side, because what is ingested waits for all of them", async () => {
    const world = await alertWorld();
    for (let at = 0; at < 40; at += 1) await world.rule({ name: `Rule ${at}` });
    const counted = sideBySide(world.world.table, (call) => call === "transact");
    await world.drain([world.message([anException("A")])], { ...world.world, table: counted.table });
    expect(await list(world.world.table, AlertNotices, "due", { way: "letter" })).toHaveLength(40);
    expect(counted.most()).toBeGreaterThan(8);
  });

  it("is told with the others of its moment, and later ones once the rule has cooled down", async () => {
    const world = await alertWorld();
    await world.rule({ cooldown_minutes: 5 });
    await world.ingest(anException("A"), anException("B"), anException("C"));
    await world.ingest(anException("D"));
    await world.send();
    expect(subjects(world)).toEqual(["Project 1: New issue: A"]);
    expect(world.letters[0]?.text).toContain("The same is true of 2 other issues at this moment.");
    world.pass(5 * MINUTE);
    await world.ingest(anException("A"), anException("D"), anException("E"));
    await world.send();
    expect(subjects(world).slice(1)).toEqual(["Project 1: New issue: D"]);
    expect(world.letters[1]?.text).toContain("1 other issue at");
  });

  it("is told once by two drains at once, and by a message that comes again", async () => {
    const world = await alertWorld();
    await world.rule();
    const message = world.message([anException("A")], { request: "aa".repeat(16) });
    await Promise.all([
      world.drain([message]),
      world.drain([message], { ...world.world, table: world.world.table }),
      world.drain([world.message([anException("A")])]),
    ]);
    await world.drain([message]);
    await Promise.all([world.send(), world.send()]);
    expect(subjects(world)).toEqual(["Project 1: New issue: A"]);
  });

  it("is told once though it is read late that it was told", async () => {
    const world = await alertWorld();
    await world.rule({ cooldown_minutes: 5 });
    const { table } = world.world;
    const getMany: Table["getMany"] = async (keys, options) =>
      (await table.getMany(keys, options)).filter(({ sk }) => !sk.startsWith("told#"));
    const late = { ...world.world, table: { ...methodsOf(table), getMany } };
    const message = () => [world.message([anException("A")])];
    await Promise.all([world.drain(message(), late), world.drain(message(), { ...late })]);
    world.pass(5 * MINUTE);
    await world.drain(message(), late);
    await world.send();
    expect(subjects(world)).toEqual(["Project 1: New issue: A"]);
  });

  it("is not told by a rule that was made after it", async () => {
    const world = await alertWorld();
    await world.ingest(anException("A"));
    world.pass(MINUTE);
    await world.rule();
    await world.ingest(anException("A"));
    await world.send();
    expect(subjects(world)).toEqual([]);
  });

  it("is told though the drain that made it was broken off, wherever that was", async () => {
    for (const moment of ["before", "after"] as const) {
      for (let write = 0, isOver = false; !isOver; write += 1) {
        const world = await alertWorld();
        await world.rule();
        const message = world.message([anException("A")]);
        const { table, died } = dyingTable(world.world.table, write, moment);
        await world.drain([message], { ...world.world, table }).catch(() => undefined);
        isOver = !died();
        await world.drain([message]);
        await world.send();
        expect([moment, write, subjects(world)]).toEqual([moment, write, ["Project 1: New issue: A"]]);
      }
    }
  });

  it("is told only where the rule's filters are fulfilled", async () => {
    const world = await alertWorld();
    const where = (...values: readonly object[]) => ({ filters: { type: "AND", values } });
    await world.rule(where({ type: "event", key: "env", operator: "exact", value: "production" }));
    await world.rule({ name: "By name", ...where({ type: "error_tracking_issue", key: "name", operator: "icontains", value: "type" }) });
    await world.ingest(anException("TypeError", "boom", { env: "staging" }));
    await world.ingest(anException("RangeError", "boom", { env: "production" }));
    await world.ingest(anException("OtherError", "boom", { env: "staging" }));
    await world.send();
    expect(subjects(world).sort()).toEqual(["Project 1: New issue: RangeError", "Project 1: New issue: TypeError"]);
  });

  it("is not told by a rule whose filters take too much work, which says so until they are changed; others tell it", async () => {
    const world = await alertWorld();
    const where = (value: string) => ({
      filters: { type: "AND", values: [{ type: "event", key: "$exception_values", operator: "regex", value }] },
    });
    const { id } = await world.rule({ name: "Slow", ...where("(?:[a-zA-Z]?){990}[0-9][0-9]") });
    await world.rule({ name: "Quick", ...where("^x+$") });
    await world.ingest(anException("A", "x".repeat(10_000)));
    await world.send();
    expect(world.letters.map(({ text }) => /The alert rule "(\w+)"/.exec(text)?.[1])).toEqual(["Quick"]);
    const state = async () => (await world.call("GET", `${id}/`)).json;
    expect(await state()).toMatchObject({ last_error: expect.stringContaining("too much work"), last_triggered_at: null });
    world.pass(MINUTE);
    await world.call("PATCH", `${id}/`, where("[0-9]$"));
    expect(await state()).toMatchObject({ last_error: null });
  });

  it("is not told by a rule that is switched off, nor where it was imported", async () => {
    const world = await alertWorld();
    const { id } = await world.rule();
    await world.drain([world.message([anException("A")], { historical: true })]);
    await world.ingest(anException("A"));
    await world.send();
    expect(subjects(world)).toEqual([]);
    await world.ingest(anException("B"));
    expect((await world.call("PATCH", `${id}/`, { enabled: false, cooldown_minutes: 1 })).status).toBe(200);
    await world.send();
    world.pass(MINUTE);
    await world.ingest(anException("C"));
    expect((await world.call("PATCH", `${id}/`, { enabled: true })).status).toBe(200);
    await world.send();
    expect([(await world.issues()).length, subjects(world)]).toEqual([3, []]);
  });

  it("costs no call of the table where a project has no rule", async () => {
    const world = await alertWorld();
    await world.ingest(anException("A"));
    expect(world.calls.filter(({ pk }) => pk.includes("#alerts"))).toEqual([]);
  });
});

describe("an issue that was closed", () => {
  it("is told when it is back, once for each time", async () => {
    const world = await alertWorld();
    await world.rule({ trigger: "issue_reopened", cooldown_minutes: 2 });
    await world.ingest(anException("A"));
    const [issue] = await world.issues();
    const resolve = () => update(world.world.table, Issues, { project: 1, id: issue?.id ?? "" }, { set: { status: "resolved" } });
    await resolve();
    await world.ingest(anException("A"), anException("A"));
    await world.ingest(anException("A"));
    await world.send();
    expect(subjects(world)).toEqual(["Project 1: Issue is back: A"]);
    world.pass(MINUTE);
    await world.ingest(anException("A"));
    await resolve();
    await world.ingest(anException("A"));
    await world.send();
    expect(subjects(world)).toHaveLength(1);
    world.pass(MINUTE);
    await world.ingest(anException("A"));
    await world.ingest(anException("A"));
    world.pass(5 * MINUTE);
    await world.ingest(anException("A"));
    await world.send();
    expect(subjects(world)).toHaveLength(2);
  });
});

describe("a spike", () => {
  it("is told with its numbers, once until it is reported again", async () => {
    const world = await alertWorld();
    await put(world.world.table, SpikeDetectionConfigs, { project: 1, snooze_duration_minutes: 10, multiplier: 2, threshold: 5 });
    await world.rule({ trigger: "issue_spiking" });
    await world.ingest(anException("A"));
    world.pass(6 * MINUTE);
    await world.ingest(...times(6, anException("A")));
    await world.ingest(...times(6, anException("A")));
    await world.send();
    expect(world.letters).toMatchObject([
      {
        subject: "Project 1: Issue spikes: A",
        text: expect.stringContaining("It has 6 exceptions in five minutes, where there were 1 before."),
      },
    ]);
  });

  it("is written beside those of other issues, because what is ingested waits for all of them", async () => {
    const world = await alertWorld();
    await put(world.world.table, SpikeDetectionConfigs, { project: 1, snooze_duration_minutes: 10, multiplier: 1, threshold: 1 });
    const counted = sideBySide(world.world.table, (call) => call === "transact");
    const names = Array.from({ length: 40 }, (_, at) => `Spiking${at}`);
    const message = world.message(names.map((name) => anException(name)));
    await world.drain([message], { ...world.world, table: counted.table });
    expect(await list(world.world.table, SpikeEvents, "key", { project: 1 })).toHaveLength(names.length);
    expect(counted.most()).toBeGreaterThan(8);
  });
});

describe("a threshold", () => {
  it("counts an issue's exceptions within its minutes, and is told again after the cool-down", async () => {
    const world = await alertWorld();
    await world.rule({ trigger: "threshold", threshold: { count: 5, minutes: 10 }, cooldown_minutes: 10 });
    await world.ingest(...times(2, anException("A")), ...times(4, anException("B")));
    world.pass(5 * MINUTE);
    await world.ingest(...times(2, anException("A")));
    await world.send();
    expect(subjects(world)).toEqual([]);
    await world.ingest(anException("A"));
    await world.ingest(anException("A"));
    await world.send();
    expect(subjects(world)).toEqual(["Project 1: 5 exceptions in 10 minutes: A"]);
    world.pass(10 * MINUTE);
    await world.ingest(anException("A"));
    world.pass(15 * MINUTE);
    await world.ingest(...times(4, anException("A")));
    await world.send();
    expect(subjects(world)).toHaveLength(2);
  });

  it("counts a message that comes again once, and none that was imported", async () => {
    const world = await alertWorld();
    await world.rule({ trigger: "threshold", threshold: { count: 5, minutes: 10 } });
    const message = world.message(times(3, anException("A")));
    await world.drain([message]);
    await world.drain([message]);
    await world.drain([world.message(times(9, anException("A")), { historical: true })]);
    await world.send();
    expect(subjects(world)).toEqual([]);
  });

  it("tells of ten issues of a drain, with the number of the others, and of sixty in an hour", async () => {
    const world = await alertWorld();
    await world.rule({ trigger: "threshold", threshold: { count: 1, minutes: 5 }, cooldown_minutes: 600 });
    await world.ingest(...Array.from({ length: 12 }, (_, at) => anException(`E${at}`)));
    await world.send();
    expect(world.letters).toHaveLength(10);
    expect(world.letters.filter(({ text }) => text.includes("2 other issues"))).toHaveLength(1);
    for (let drain = 1; drain < 8; drain += 1) await world.ingest(...Array.from({ length: 10 }, (_, at) => anException(`E${drain}.${at}`)));
    await world.send();
    expect(world.letters).toHaveLength(60);
  });
});

describe("a webhook", () => {
  const url = () => `${receiver.state.url}/errors`;

  it("is an event signed with the rule's secret", async () => {
    const world = await alertWorld();
    const { id, secret } = await world.rule({ channels: [{ type: "webhook", url: url() }] });
    await world.ingest(anException("TypeError", "x is undefined"));
    await world.send();
    const [heard] = receiver.heard;
    const [, time, sent] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(heard?.signature ?? "") ?? [];
    expect(sent).toBe(createHmac("sha256", secret).update(`${time}.${heard?.body}`).digest("hex"));
    const [issue] = await world.issues();
    expect(JSON.parse(heard?.body ?? "")).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "error_tracking.issue_created",
      created_at: "2026-11-20T12:00:06Z",
      organization_id: world.organization.id,
      data: {
        project: { id: 1, name: "Project 1" },
        rule: { id, name: "On call", trigger: "issue_created" },
        issue: {
          id: issue?.id,
          name: "TypeError",
          description: "x is undefined",
          status: "active",
          severity: null,
          first_seen: issue?.first_seen,
          url: `https://app.acme.test/project/1/errors/${issue?.id}`,
        },
        other_issues: 0,
        count: null,
        minutes: null,
        baseline: null,
      },
    });
  });

  it("is sent again for a day where it is refused, and the rule says why", async () => {
    const world = await alertWorld();
    const { id } = await world.rule({ channels: [{ type: "webhook", url: url() }] });
    receiver.behaviours.push(500, "silence");
    await world.ingest(anException("A"));
    await world.send();
    expect((await world.call("GET", `${id}/`)).json).toMatchObject({
      last_error: "It answered 500.",
      last_triggered_at: "2026-11-20T12:00:06Z",
    });
    receiver.behaviours.length = 0;
    world.pass(MINUTE);
    await Promise.all([world.send(), world.send()]);
    expect(receiver.heard.map(({ body }) => body)).toEqual(times(2, receiver.heard[0]?.body));
    expect((await world.call("GET", `${id}/`)).json).toMatchObject({ last_error: null });
    receiver.behaviours.push(...times(8, 503));
    world.pass(30 * MINUTE);
    await world.ingest(anException("B"));
    for (let hour = 0; hour < 30; hour += 1) {
      await world.send();
      world.pass(60 * MINUTE);
    }
    expect(receiver.heard.length).toBeGreaterThan(5);
    expect(await list(world.world.table, AlertNotices, "key", { project: 1 })).toEqual([]);
    expect((await world.call("GET")).json).toMatchObject({ results: [{ last_error: "It answered 503." }] });
  });

  it("is a message as Slack reads it, in which nothing is a link or a mention but the issue's page", async () => {
    const world = await alertWorld();
    await world.rule({ channels: [{ type: "slack", url: url() }] });
    await world.ingest(anException("TypeError", "<!channel> & <https://evil.test|here>"));
    await world.send();
    const [issue] = await world.issues();
    const text = `*<https://app.acme.test/project/1/errors/${issue?.id}|New issue: TypeError>*\nTypeError: &lt;!channel&gt; &amp; &lt;https://evil.test|here&gt;`;
    expect(JSON.parse(receiver.heard[0]?.body ?? "")).toEqual({
      text,
      blocks: [
        { type: "section", text: { type: "mrkdwn", text, verbatim: true } },
        { type: "context", elements: [{ type: "mrkdwn", text: expect.stringContaining('"On call"'), verbatim: true }] },
      ],
    });
    expect(receiver.heard[0]?.signature).toBe("undefined");
  });

  it("goes to none of a rule that was deleted, and to no channel that was taken out, while it was on its way", async () => {
    const world = await alertWorld();
    const first = await world.rule({ channels: [{ type: "webhook", url: `${url()}/1` }] });
    const second = await world.rule({ channels: [{ type: "webhook", url: `${url()}/2` }] });
    await world.ingest(anException("A"));
    await world.call("DELETE", `${first.id}/`);
    await world.call("PATCH", `${second.id}/`, { channels: [{ type: "webhook", url: `${url()}/3` }] });
    await world.send();
    expect(receiver.heard).toEqual([]);
    expect(await list(world.world.table, AlertNotices, "key", { project: 1 })).toEqual([]);
  });
});

describe("a letter", () => {
  it("goes to nobody who has left the organization meanwhile", async () => {
    const world = await alertWorld();
    const bob = await aUser(world.world, 7);
    await aMembership(world.world, bob, world.organization);
    const { id } = await world.rule({ channels: [{ type: "email", user_id: 7 }] });
    await world.ingest(anException("A"));
    await world.world.table.remove({ pk: `organization#${world.organization.id}`, sk: "member#0000000000000007" });
    await world.send();
    expect(world.letters).toEqual([]);
    expect((await world.call("GET", `${id}/`)).json).toMatchObject({ last_error: "No member who may see the project has this id." });
  });

  it("is tried again where the mail service does not take it, which the operator is told without an address", async () => {
    const world = await alertWorld();
    await world.rule();
    await world.ingest(anException("A"));
    const mail: Mail = { send: () => Promise.reject(new Error("the mail service is away")) };
    await expect(
      world.send({ ...world.world, table: world.world.table, clock: world.world.clock, config: world.world.config, log: world.log, mail }),
    ).rejects.toThrow("could not be sent");
    expect(JSON.stringify(world.log)).not.toContain("@");
    world.pass(MINUTE);
    await world.send();
    expect(subjects(world)).toEqual(["Project 1: New issue: A"]);
  });
});
