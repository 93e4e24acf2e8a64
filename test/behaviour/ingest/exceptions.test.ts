import { describe, expect, it } from "vitest";
import { ingestLive } from "../../../functions/ingest/consumers.ts";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { IssueActivities } from "../../../lib/error-tracking/issue-activities.ts";
import { type Assignee, Issues } from "../../../lib/error-tracking/issues.ts";
import { Releases, releaseHashMarker } from "../../../lib/error-tracking/releases.ts";
import { AssignmentRules, GroupingRules, SeverityRules } from "../../../lib/error-tracking/rules.ts";
import { ErrorTrackingSettings, SpikeDetectionConfigs } from "../../../lib/error-tracking/settings.ts";
import { SpikeEvents } from "../../../lib/error-tracking/spike-events.ts";
import { StackFrames } from "../../../lib/error-tracking/stack-frames.ts";
import { readUnread } from "../../../lib/error-tracking/unread-exceptions.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";
import { type Project, Projects } from "../../../lib/projects/projects.ts";
import { list, put, remove, update } from "../../../lib/table/store.ts";
import { claiming } from "../../../lib/table/transact.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { ingestWorld, NOW } from "../../support/worlds/ingest-world.ts";

const ENOUGH = { remainingMs: () => 60_000 };
const RULE = "01957a50-0c0e-7b52-8a3e-2f6f8a6f1a11";
const OTHER_RULE = "01957a50-0c0e-7b52-8a3e-2f6f8a6f1a12";
const STAMP = "2026-01-01T00:00:00.000000Z";

/** A message of exceptions; its request is its own unless it is the same one again. */
const aMessage = (events: readonly object[], request?: string): Delivery =>
  deliveryOf(events, { organization: "", received: `${NOW}000`, ...(request !== undefined && { request }) });

const FRAME = { platform: "python", filename: "app/views.py", module: "app.views", function: "checkout", lineno: 42 };
const anException = (type: string, more: object = {}, value = "boom") => ({
  event: "$exception",
  distinct_id: "ann",
  timestamp: "2026-01-12T11:00:00Z",
  properties: { $exception_list: [{ type, value, stacktrace: { type: "raw", frames: [FRAME] } }], ...more },
});
const times = (count: number, of: object): readonly object[] => Array.from({ length: count }, () => of);

/** A world with one project, and what its tests ask of it. */
const setup = async () => {
  const made = await ingestWorld([1]);
  const drain = async (...deliveries: readonly Delivery[]) =>
    expect(await asFunction(ingestLive, () => ingest(deliveries, made.world, ENOUGH, "live"))).toEqual({ failed: [] });
  const issues = () => list(made.table, Issues, "key", { project: 1 });
  const stored = async () => (await made.rows(1)).map(({ properties }): Record<string, unknown> => JSON.parse(String(properties)));
  return { ...made, drain, issues, stored };
};

const whereType = (value: string, operator = "exact") =>
  JSON.stringify({ type: "AND", values: [{ key: "$exception_types", type: "event", operator, value }] });
const grouping = (id: string, filters: string, order_key = 0) => ({
  project: 1,
  id,
  filters,
  assignee: { type: "user", id: 17 } as const,
  description: null,
  order_key,
  disabled_data: null,
  created_at: STAMP,
  updated_at: STAMP,
});

const assignment = (id: string, filters: string, order_key: number, user: number) => {
  const { description: _, ...rule } = grouping(id, filters, order_key);
  return { ...rule, assignee: { type: "user", id: user } as const };
};

describe("issues", () => {
  it("are one for a fingerprint, however many drains and messages bring it", async () => {
    const { drain, issues, stored } = await setup();
    await drain(aMessage([anException("A"), anException("A")]), aMessage([anException("A"), anException("B")]));
    await drain(aMessage([anException("A")]));
    expect((await issues()).map(({ name }) => name).sort()).toEqual(["A", "B"]);
    const of = (await stored()).map(({ $exception_issue_id }) => $exception_issue_id);
    expect(of.filter((id) => id === of[0])).toHaveLength(4);
  });

  it("are one also when two processes see the fingerprint first at the same time", async () => {
    const { world, drain, issues } = await setup();
    const twin = { ...world };
    await Promise.all([drain(aMessage([anException("A")])), ingest([aMessage([anException("A")])], twin, ENOUGH, "live")]);
    expect(await issues()).toHaveLength(1);
  });

  it("open again with a new event when they were resolved, and drop it when they are suppressed", async () => {
    const { table, drain, issues, stored } = await setup();
    await drain(aMessage([anException("A")]));
    const [issue] = await issues();
    const key = { project: 1, id: issue?.id ?? "" };
    await update(table, Issues, key, { set: { status: "resolved" } });
    await drain(aMessage([anException("A")]));
    expect((await issues()).map(({ status }) => status)).toEqual(["active"]);
    await update(table, Issues, key, { set: { status: "suppressed" } });
    await drain(aMessage([anException("A"), anException("B")]));
    expect(await stored()).toHaveLength(3);
  });

  it("are made anew where a fingerprint leads to one that is gone", async () => {
    const { table, drain, issues, stored } = await setup();
    await drain(aMessage([anException("A")]));
    const [issue] = await issues();
    const id = issue?.id ?? "";
    await remove(table, Issues, { project: 1, id });
    await drain(aMessage([anException("A")]));
    expect((await issues()).map((each) => each.id)).toEqual([id]);
    expect((await stored()).map(({ $exception_issue_id }) => $exception_issue_id)).toEqual([id, id]);
  });

  it("name the release that an event names, and so do its frames", async () => {
    const { table, drain, stored } = await setup();
    const release = {
      team_id: 1,
      id: RULE,
      hash_id: "shop-1.4.2",
      created_at: STAMP,
      metadata: '{"a":1}',
      version: "1.4.2",
      project: "shop",
    };
    await put(table, Releases, release);
    await table.transact([claiming(releaseHashMarker(1, "shop-1.4.2"), RULE)]);
    await drain(aMessage([anException("A", { $release_id: "shop-1.4.2" }), anException("B", { $release_id: "unknown" })]));
    const releases = (await stored()).map(({ $exception_release }) => $exception_release);
    expect(releases).toEqual(expect.arrayContaining([{ ...release, metadata: { a: 1 } }, undefined]));
    expect(await list(table, StackFrames, "key", { project: 1 })).toMatchObject([{ release_id: RULE, resolved: true, part: 0 }]);
  });

  it("name a release by the longest hash id that one can have", async () => {
    const { table, drain, stored } = await setup();
    const hash_id = "𝒳".repeat(128);
    const release = { team_id: 1, id: RULE, hash_id, created_at: STAMP, metadata: null, version: "2", project: "shop" };
    await put(table, Releases, release);
    await table.transact([claiming(releaseHashMarker(1, hash_id), RULE)]);
    await drain(aMessage([anException("A", { $release_id: hash_id })]));
    expect(await stored()).toMatchObject([{ $exception_release: release }]);
  });

  it("name a release that is made after it was named, within seconds, and so do the frames that they have shown before", async () => {
    const { table, drain, stored, pass } = await setup();
    const named = anException("A", { $release_id: "late" });
    const frames = async () => (await list(table, StackFrames, "key", { project: 1 })).map(({ release_id }) => release_id);
    await drain(aMessage([named], "before"));
    expect(await frames()).toEqual([null]);
    const release = { team_id: 1, id: RULE, hash_id: "late", created_at: STAMP, metadata: null, version: "2", project: "shop" };
    await put(table, Releases, release);
    await table.transact([claiming(releaseHashMarker(1, "late"), RULE)]);
    pass(5_000);
    await drain(aMessage([anException("A"), named], "after"));
    const releases = (await stored()).map(({ $exception_release }) => $exception_release);
    expect(releases).toEqual(expect.arrayContaining([undefined, release]));
    expect(await frames()).toEqual([RULE]);
    // The release that a frame was seen in first stays.
    await put(table, Releases, { ...release, id: OTHER_RULE, hash_id: "later" });
    await table.transact([claiming(releaseHashMarker(1, "later"), OTHER_RULE)]);
    await drain(aMessage([anException("A", { $release_id: "later" })]));
    expect(await frames()).toEqual([RULE]);
  });
});

describe("a project's version of grouping", () => {
  const project = (more: Partial<Project>): Project => ({
    id: 1,
    uuid: RULE,
    organization_id: OTHER_RULE,
    name: "Shop",
    api_token: "phc_shop",
    secret_token_mask: "",
    timezone: "UTC",
    account_group_type: null,
    autocapture_exceptions: true,
    erased_ids: "refuse",
    retention_months: null,
    state: "active",
    is_demo: false,
    created_at: STAMP,
    updated_at: STAMP,
    ...more,
  });
  /** The same failure in the code of some release. */
  const released = (release: string) => {
    const frame = { platform: "ruby", function: "checkout", filename: `/srv/releases/${release}/cart.rb` };
    return anException("A", { $exception_list: [{ type: "A", stacktrace: { type: "raw", frames: [frame] } }] });
  };
  const versions = (stored: readonly Record<string, unknown>[]) =>
    stored.map(({ $exception_fingerprint_version: version }) => version).toSorted();

  it("is the first where the project says none, and the one that it says otherwise", async () => {
    for (const [grouping, count] of [
      [{}, 2],
      [{ grouping_version: 1 }, 2],
      [{ grouping_version: 2 }, 1],
    ] as const) {
      const { table, drain, issues, stored } = await setup();
      await put(table, Projects, project(grouping));
      await drain(aMessage([released("20261101"), released("20261108"), anException("B")]));
      expect(await issues()).toHaveLength(count + 1);
      expect(versions(await stored())).toEqual(count === 2 ? ["v1", "v1", "v1"] : ["v1", "v2", "v2"]);
    }
  });

  it("counts within seconds when it is switched, and what it knew before leads to the same issues", async () => {
    const { table, drain, issues, pass } = await setup();
    await put(table, Projects, project({}));
    await drain(aMessage([released("20261101"), released("20261108"), anException("B")]));
    const before = await issues();
    expect(before).toHaveLength(3);
    await update(table, Projects, { id: 1 }, { set: { grouping_version: 2, grouping_version_before: 1 } });
    pass(10_000);
    await drain(aMessage([released("20261101"), released("20261115"), anException("B")]));
    await drain(aMessage([released("20261122"), released("20261108")]));
    expect(await issues()).toEqual(before.map((issue) => expect.objectContaining({ id: issue.id })));
    await update(table, Projects, { id: 1 }, { set: { grouping_version: 1, grouping_version_before: 2 } });
    pass(10_000);
    await drain(aMessage([released("20261129")]));
    expect(await issues()).toHaveLength(3);
  });

  it("may tell apart any number of exceptions at once that the other one put into one issue", async () => {
    const { table, drain, issues, stored, pass } = await setup();
    await put(table, Projects, project({ grouping_version: 2 }));
    await drain(aMessage([released("20261101")]));
    const [before] = await issues();
    await update(table, Projects, { id: 1 }, { set: { grouping_version: 1, grouping_version_before: 2 } });
    pass(10_000);
    const apart = Array.from({ length: 120 }, (_, at) => released(String(20_270_101 + at)));
    await drain(aMessage(apart));
    expect(await issues()).toEqual([expect.objectContaining({ id: before?.id })]);
    expect(await stored()).toHaveLength(apart.length + 1);
    expect(await list(table, Fingerprints, "key", { project: 1 })).toHaveLength(apart.length + 1);
  });
});

describe("rules", () => {
  it("group by the first that matches, and give the issue their assignee", async () => {
    const { table, drain, issues, stored } = await setup();
    await put(table, GroupingRules, grouping(RULE, whereType("A|B", "regex"), 1));
    await put(table, GroupingRules, grouping(OTHER_RULE, whereType("C"), 0));
    await drain(aMessage([anException("A"), anException("B"), anException("D"), anException("A", { $exception_fingerprint: "own" })]));
    const fingerprints = (await stored()).map(({ $exception_fingerprint }) => $exception_fingerprint);
    expect(fingerprints.filter((each) => each === `custom-rule:${RULE}`)).toHaveLength(2);
    expect(fingerprints).toContain("own");
    const assigned = (await issues()).filter(({ assignee }) => assignee !== null);
    expect(assigned).toMatchObject([{ name: "A", assignee: { type: "user", id: 17 } }]);
  });

  it("rate a new issue, unless the event rates it itself", async () => {
    const { table, drain, issues } = await setup();
    const rule = {
      project: 1,
      id: RULE,
      filters: '{"type":"AND","values":[]}',
      severity: "low",
      order_key: 0,
      disabled_data: null,
    } as const;
    await put(table, SeverityRules, { ...rule, created_at: STAMP, updated_at: STAMP });
    await drain(aMessage([anException("A"), anException("B", { $issue_severity: "critical" })]));
    expect((await issues()).map(({ severity }) => severity).sort()).toEqual(["critical", "low"]);
  });

  it("assign a new issue by the first that matches, and one that opens again where nobody looks after it", async () => {
    const { table, drain, issues } = await setup();
    await put(table, AssignmentRules, assignment(RULE, '{"type":"AND","values":[]}', 2, 1));
    await put(table, AssignmentRules, assignment(OTHER_RULE, whereType("A"), 1, 2));
    await drain(aMessage([anException("A"), anException("B")]));
    const assignees = async () => Object.fromEntries((await issues()).map(({ name, assignee }) => [name, assignee?.id ?? null]));
    expect(await assignees()).toEqual({ A: 2, B: 1 });
    const resolve = async (name: string, assignee: Assignee | null) => {
      const id = (await issues()).find((issue) => issue.name === name)?.id ?? "";
      await update(table, Issues, { project: 1, id }, { set: { status: "resolved", assignee } });
    };
    await resolve("A", null);
    await resolve("B", { type: "user", id: 9 });
    await drain(aMessage([anException("A"), anException("B")]));
    expect(await assignees()).toEqual({ A: 2, B: 9 });
    const notes = (await list(table, IssueActivities, "key", { project: 1 })).map(({ activity, detail, user_id }) => [
      activity,
      detail,
      user_id,
    ]);
    expect(notes.sort()).toEqual([
      ["assigned", { from: null, to: { type: "user", id: 2 } }, null],
      ["reopened", { from: "resolved" }, null],
      ["reopened", { from: "resolved" }, null],
    ]);
    // Who was taken off an issue that is open stays off.
    await update(table, Issues, { project: 1, id: (await issues())[0]?.id ?? "" }, { set: { assignee: null } });
    await drain(aMessage([anException("A"), anException("B")]));
    expect(Object.values(await assignees())).toContain(null);
  });

  it("assign nothing where a grouping rule says who looks after it, and are asked about the issue where it says nobody", async () => {
    const { table, drain, issues } = await setup();
    await put(table, GroupingRules, grouping(RULE, whereType("A")));
    await put(table, GroupingRules, { ...grouping(OTHER_RULE, whereType("B")), assignee: null });
    const named = JSON.stringify({
      type: "AND",
      values: [
        { type: "error_tracking_issue", key: "name", operator: "icontains", value: "b" },
        { type: "error_tracking_issue", key: "status", operator: "exact", value: "active" },
        { type: "event", key: "$exception_fingerprint", operator: "exact", value: `custom-rule:${OTHER_RULE}` },
      ],
    });
    await put(table, AssignmentRules, assignment(RULE, whereType("A"), 0, 1));
    await put(table, AssignmentRules, assignment(OTHER_RULE, named, 0, 2));
    await drain(aMessage([anException("A"), anException("B")]));
    expect((await issues()).map(({ name, assignee }) => [name, assignee?.id]).sort()).toEqual([
      ["A", 17],
      ["B", 2],
    ]);
  });

  it("of assignment that are broken are put out of force with issue and properties; those switched off are not asked", async () => {
    const { table, drain, issues } = await setup();
    await put(table, AssignmentRules, assignment(RULE, whereType("(", "regex"), 0, 1));
    await put(table, AssignmentRules, { ...assignment(OTHER_RULE, whereType("A"), 1, 2), enabled: false });
    await drain(aMessage([anException("A")]));
    expect((await issues()).map(({ assignee }) => assignee)).toEqual([null]);
    const [broken, off] = await list(table, AssignmentRules, "key", { project: 1 });
    expect(JSON.parse(broken?.disabled_data ?? "null")).toEqual({
      message: expect.any(String),
      props: expect.objectContaining({ $exception_types: ["A"] }),
      issue: { status: "active", name: "A", description: "boom" },
    });
    expect(off).toMatchObject({ enabled: false, disabled_data: null, updated_at: STAMP });
  });

  it("that ask what no exception knows find it missing", async () => {
    const { table, drain, issues } = await setup();
    const asking = (operator: string, type: string, key: string) =>
      JSON.stringify({ type: "AND", values: [{ type, key, operator, value: "x" }] });
    await put(table, GroupingRules, grouping(RULE, asking("exact", "person", "email"), 0));
    await put(table, GroupingRules, grouping(OTHER_RULE, asking("icontains", "error_tracking_issue", "name"), 1));
    await put(table, AssignmentRules, assignment(RULE, asking("is_set", "cohort", "id"), 0, 1));
    await put(table, AssignmentRules, assignment(OTHER_RULE, asking("is_not", "error_tracking_issue", "owner"), 1, 2));
    await drain(aMessage([anException("A"), anException("B")]));
    expect((await issues()).map(({ assignee }) => assignee)).toEqual([
      { type: "user", id: 2 },
      { type: "user", id: 2 },
    ]);
  });

  it("take a text that was sent empty for what it is: set, and equal to an empty one", async () => {
    const { table, drain, issues } = await setup();
    const asking = (operator: string, value: string | null) =>
      JSON.stringify({ type: "AND", values: [{ type: "event", key: "plan", operator, value }] });
    await put(table, AssignmentRules, assignment(RULE, asking("is_not_set", null), 0, 1));
    await put(table, AssignmentRules, assignment(OTHER_RULE, asking("exact", ""), 1, 2));
    await drain(aMessage([anException("A", { plan: "" }), anException("B")]));
    expect(Object.fromEntries((await issues()).map(({ name, assignee }) => [name, assignee?.id]))).toEqual({ A: 2, B: 1 });
  });

  it.each([
    ["gt", [5, 1]],
    ["lte", ["-1", "3"]],
    ["is_date_before", ["2020-01-01", "2026-01-01"]],
    ["is_date_after", ["2026-01-01", "2020-01-01"]],
    ["gte", []],
    ["is_date_before", []],
  ])("that ask whether something is beyond several values are fulfilled beyond one, and without any: %s %j", async (operator, value) => {
    const { table, drain, issues } = await setup();
    const key = operator.startsWith("is_date") ? "day" : "n";
    await put(
      table,
      AssignmentRules,
      assignment(RULE, JSON.stringify({ type: "AND", values: [{ type: "event", key, operator, value }] }), 0, 1),
    );
    await drain(aMessage([anException("A", { n: 3, day: "2024-06-01" })]));
    expect((await issues()).map(({ assignee }) => assignee?.id)).toEqual([1]);
  });

  it("that are broken are put out of force with what they failed on, and the next one is asked", async () => {
    const { table, drain, stored } = await setup();
    await put(table, GroupingRules, grouping(RULE, whereType("(", "regex"), 0));
    await put(table, GroupingRules, grouping(OTHER_RULE, whereType("A"), 1));
    await drain(aMessage([anException("A")]));
    expect((await stored()).map(({ $exception_fingerprint }) => $exception_fingerprint)).toEqual([`custom-rule:${OTHER_RULE}`]);
    const [broken, working] = await list(table, GroupingRules, "key", { project: 1 });
    expect(working?.disabled_data).toBeNull();
    expect(JSON.parse(broken?.disabled_data ?? "null")).toMatchObject({ message: expect.any(String), props: { $exception_types: ["A"] } });
    expect(broken?.updated_at).not.toBe(STAMP);
  });

  it("that take more than a project may are put out of force with the reason, and the exceptions say that they were not all asked", async () => {
    const { table, drain, stored, log } = await setup();
    const slow = { key: "$exception_values", type: "event", operator: "regex", value: "(?:[a-zA-Z]?){990}[0-9][0-9]" };
    await put(table, GroupingRules, grouping(RULE, JSON.stringify({ type: "AND", values: [slow] }), 0));
    await put(table, GroupingRules, grouping(OTHER_RULE, whereType("[A-Z]$", "regex"), 1));
    await drain(aMessage(times(20, anException("A", {}, "x".repeat(10_000)))), aMessage([anException("A")]));
    const marked = await stored();
    expect(marked).toHaveLength(21);
    expect(marked.filter(({ $cymbal_errors }) => String($cymbal_errors).includes("not all rules were asked")).length).toBeGreaterThan(15);
    const rules = await list(table, GroupingRules, "key", { project: 1 });
    const why = rules.map(({ disabled_data }) => JSON.parse(disabled_data ?? "null")?.message ?? null);
    expect(why).toEqual([expect.stringMatching(/^The rule takes too much work: [\d,]+ steps/), null]);
    expect(log.lines.filter(({ event }) => event === "exceptions.rule_disabled")).toHaveLength(1);
    // It counts at once: the same again is matched by what is left.
    await drain(aMessage(times(20, anException("B", {}, "x".repeat(10_000)))));
    const again = (await stored()).slice(21);
    expect(new Set(again.map(({ $exception_fingerprint }) => $exception_fingerprint))).toEqual(new Set([`custom-rule:${OTHER_RULE}`]));
    expect(again.filter((properties) => "$cymbal_errors" in properties)).toEqual([]);
  });

  it("count within seconds of being made", async () => {
    const { table, drain, stored, pass } = await setup();
    await drain(aMessage([anException("A")]));
    await put(table, GroupingRules, grouping(RULE, whereType("A")));
    pass(10_000);
    await drain(aMessage([anException("A")]));
    expect((await stored()).map(({ $exception_fingerprint }) => $exception_fingerprint)).toContain(`custom-rule:${RULE}`);
  });
});

describe("limits", () => {
  const limits = { project: 1, project_rate_limit_value: 5, project_rate_limit_bucket_size_minutes: 60 };
  const none = { per_issue_rate_limit_value: null, per_issue_rate_limit_bucket_size_minutes: null };

  it("drop what is beyond them, which opens no issue either, and come back with time", async () => {
    const { table, drain, stored, issues, pass } = await setup();
    await put(table, ErrorTrackingSettings, { ...limits, ...none });
    await drain(aMessage(times(4, anException("A"))), aMessage([...times(3, anException("A")), anException("B")]));
    expect(await stored()).toHaveLength(5);
    expect(await issues()).toHaveLength(1);
    pass(12 * 60_000);
    await drain(aMessage(times(3, anException("A"))));
    expect(await stored()).toHaveLength(6);
  });

  it("hold for each issue by itself", async () => {
    const { table, drain, stored } = await setup();
    const perIssue = { per_issue_rate_limit_value: 2, per_issue_rate_limit_bucket_size_minutes: 1 };
    await put(table, ErrorTrackingSettings, { ...limits, project_rate_limit_value: null, ...perIssue });
    await drain(aMessage([...times(4, anException("A")), ...times(3, anException("B"))]));
    expect((await stored()).flatMap(({ $exception_types }) => $exception_types).sort()).toEqual(["A", "A", "B", "B"]);
  });

  it("let the same events through when a message comes again", async () => {
    const { table, drain, stored } = await setup();
    await put(table, ErrorTrackingSettings, { ...limits, ...none });
    const request = "f".repeat(32);
    await drain(aMessage(times(4, anException("A")), request));
    await drain(aMessage(times(4, anException("A")), request));
    await drain(aMessage(times(4, anException("A"))));
    // Four, the same four again, and the one that was left.
    expect(await stored()).toHaveLength(9);
  });
});

/** What a client may put where something else belongs. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 60,
  "",
  "\0",
  "\ud800",
  "x".repeat(70_000),
  [],
  [[]],
  {},
  { toString: 1, valueOf: 2, toJSON: 3, length: 9 },
  JSON.parse('{"__proto__": {"type": "E"}, "constructor": {"prototype": 1}, "hasOwnProperty": 1}'),
];

type Json = Readonly<Record<string, unknown>> | readonly unknown[];
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Copies of a value, each with something odd in one place. */
const disfigured = (value: Json): readonly Json[] =>
  Object.entries(value).flatMap(([key, inner]) => {
    const others = [...ODD, ...(isJson(inner) ? disfigured(inner) : [])];
    return others.map((odd) => (Array.isArray(value) ? value.with(Number(key), odd) : { ...value, [key]: odd }));
  });

describe("poison", () => {
  const frame = {
    ...FRAME,
    abs_path: "/srv/app/views.py",
    context_line: "a",
    pre_context: ["b"],
    post_context: ["c"],
    in_app: true,
    colno: 2,
  };
  const resolved = {
    raw_id: "ab/0",
    mangled_name: "f",
    lang: "go",
    resolved: true,
    in_app: true,
    line: 1,
    source: "a.go",
    synthetic: false,
  };
  const whole = {
    $lib: "posthog-go",
    $lib_version: "1.0.0",
    $exception_level: "error",
    $exception_fingerprint: "own",
    $issue_name: "name",
    $issue_description: "description",
    $issue_severity: "low",
    $release_id: "release",
    $debug_images: [{ id: 1 }],
    $exception_list: [
      {
        type: "E",
        value: "v",
        module: "m",
        thread_id: 1,
        mechanism: { handled: true, type: "generic", source: "s", synthetic: false },
        stacktrace: { type: "raw", frames: [frame, { platform: "custom", function: "f", lang: "x", resolved: false }] },
      },
      { type: "Cause", stacktrace: { type: "resolved", frames: [resolved] } },
    ],
  };
  const event = (properties: object, distinct_id = "ann") => ({ ...anException("A"), distinct_id, properties });

  it("of whatever type in whatever place has an issue wherever there is an exception, says what is wrong, and holds up nothing", async () => {
    const { log, table, drain, stored } = await setup();
    await put(table, GroupingRules, grouping(RULE, whereType("nothing", "regex")));
    const poison = disfigured(whole).map((properties) => event(properties));
    for (let at = 0; at < poison.length; at += 100) await drain(aMessage([...poison.slice(at, at + 100), anException("Healthy")]));
    const found = await stored();
    expect(found.filter(({ $exception_types }) => JSON.stringify($exception_types) === '["Healthy"]')).toHaveLength(
      Math.ceil(poison.length / 100),
    );
    for (const { $exception_issue_id, $exception_list, $cymbal_errors } of found) {
      const hasException = Array.isArray($exception_list) && $exception_list.some((each) => isJson(each) && !Array.isArray(each));
      expect(typeof $exception_issue_id).toBe(hasException ? "string" : "undefined");
      if (!hasException) expect($cymbal_errors).toEqual([expect.stringMatching(/./)]);
    }
    expect(found.length).toBe(poison.length + Math.ceil(poison.length / 100));
    expect(found.filter(({ $cymbal_errors }) => $cymbal_errors !== undefined).length).toBeGreaterThan(poison.length / 3);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("that names a frame in several ways holds up nothing: it is stored once, as it came first", async () => {
    const { table, log, drain, stored } = await setup();
    const frames = ["ab/0", "ab", "ab/00", "ab/1"].map((raw_id, line) => ({ ...resolved, raw_id, line: line + 1 }));
    const named = { $exception_list: [{ type: "Named", stacktrace: { type: "resolved", frames } }] };
    for (let time = 0; time < 2; time += 1) await drain(aMessage([event(named), anException("Healthy")]));
    expect(await stored()).toHaveLength(4);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
    const kept = (await list(table, StackFrames, "key", { project: 1 })).filter(({ hash }) => hash === "ab");
    expect(kept.map(({ part, contents }) => [part, JSON.parse(contents).line])).toEqual([
      [0, 1],
      [1, 4],
    ]);
  });

  it("in which there is no exception is counted by day, in a metric and in one line of the log", async () => {
    const { world, log, counted, drain, pass } = await setup();
    await drain(aMessage([event({ $exception_list: [] }), event({}), anException("A")]), aMessage([event({ $exception_list: "x" })]));
    expect(log.lines.filter((line) => line.event === "exceptions.unread")).toMatchObject([
      { level: "warn", fields: { count: 3, projects: 1, project: 1, reason: "$exception_list is empty" } },
    ]);
    expect(counted).toEqual(["DrainsWithUnreadExceptions"]);
    pass(86_400_000);
    await drain(aMessage([event({})]));
    await drain(aMessage([event({}), anException("A")]));
    expect(await readUnread(world.table, 1)).toEqual([
      { day: "2026-01-12", count: 3, reason: "$exception_list is empty" },
      { day: "2026-01-13", count: 2, reason: "$exception_list is missing" },
    ]);
  });

  it("of ten megabytes is stored beside what came with it: a stack, a message, a chain", async () => {
    const { drain, issues, stored } = await setup();
    const stack = Array.from({ length: 20_000 }, (_, at) => ({ ...frame, function: `f${at}`, context_line: "x".repeat(400) }));
    const chain = Array.from({ length: 100_000 }, (_, at) => ({ type: `Chained${at}`, value: "x".repeat(60) }));
    const lists = [
      [{ type: "Stack", stacktrace: { type: "raw", frames: stack } }],
      [{ type: "Message", value: "x".repeat(10_000_000) }],
      chain,
      [{ type: "Frame", stacktrace: { type: "raw", frames: [{ ...frame, code_variables: { text: "x".repeat(10_000_000) } }] } }],
    ];
    for (const list of lists) await drain(aMessage([event({ $exception_list: list }), anException("Healthy")]));
    expect(await stored()).toHaveLength(2 * lists.length);
    expect((await issues()).map(({ name }) => name).sort()).toEqual(["Chained0", "Frame", "Healthy", "Message", "Stack"]);
  });
});

describe("a flood", () => {
  it("is seen as one spike, told once in ten minutes, with what it was compared with", async () => {
    const { table, drain, pass } = await setup();
    const spikes = () => list(table, SpikeEvents, "key", { project: 1 });
    await drain(aMessage(times(10, anException("A"))));
    pass(300_000);
    await drain(aMessage(times(499, anException("A"))));
    expect(await spikes()).toEqual([]);
    await drain(aMessage([anException("A")]));
    expect(await spikes()).toMatchObject([{ computed_baseline: 10, current_bucket_value: 500 }]);
    await drain(aMessage(times(100, anException("A"))));
    expect(await spikes()).toHaveLength(1);
    pass(601_000);
    await drain(aMessage(times(6_000, anException("A"))));
    expect(await spikes()).toHaveLength(2);
  });

  it("counts a message once, however often it comes", async () => {
    const { table, drain } = await setup();
    const request = "e".repeat(32);
    await put(table, SpikeDetectionConfigs, { project: 1, snooze_duration_minutes: 10, multiplier: 10, threshold: 300 });
    await drain(aMessage(times(200, anException("A")), request));
    await drain(aMessage(times(200, anException("A")), request));
    expect(await list(table, SpikeEvents, "key", { project: 1 })).toEqual([]);
    await drain(aMessage(times(100, anException("A"))));
    expect(await list(table, SpikeEvents, "key", { project: 1 })).toMatchObject([{ current_bucket_value: 300 }]);
  });

  it("of 100,000 equal exceptions is stored and counted to the last, and takes at most a hundred writes beside its commits and counts", async () => {
    let writes = 0;
    const made = await ingestWorld([1], (table) => ({
      ...table,
      get: (key, options) => table.get(key, options),
      getMany: (keys, options) => table.getMany(keys, options),
      query: (query) => table.query(query),
      remove: (key, when) => table.remove(key, when),
      put(item, when) {
        if (!/^(commit#|bucket#)/.test(item.sk)) writes += 1;
        return table.put(item, when);
      },
      update(key, change, when) {
        writes += 1;
        return table.update(key, change, when);
      },
      transact(all) {
        writes += all.length;
        return table.transact(all);
      },
    }));
    for (let at = 0; at < 10; at += 1) {
      const deliveries = Array.from({ length: 10 }, () => aMessage(times(1_000, anException("A"))));
      expect(await ingest(deliveries, made.world, ENOUGH, "live")).toEqual({ failed: [] });
    }
    expect(writes).toBeLessThanOrEqual(100);
    const commits = await readCommits(made.table, 1);
    expect(commits.flatMap(({ segments }) => segments.map(({ rows }) => rows)).reduce((sum, rows) => sum + rows, 0)).toBe(100_000);
    const { items } = await made.table.query({ pk: "errors#1#exception-counts" });
    const pairs = items.flatMap(({ pairs }): readonly (readonly [string, string, number])[] => JSON.parse(String(pairs)));
    expect(pairs.reduce((sum, [, , count]) => sum + count, 0)).toBe(100_000);
    const spikes = await list(made.table, SpikeEvents, "key", { project: 1 });
    expect(spikes).toMatchObject([{ current_bucket_value: 10_000 }]);
  });
});
