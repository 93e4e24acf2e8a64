import { describe, expect, it } from "vitest";
import { type ListColumn, type RowList, rowList } from "../../lib/hogql/row-list.ts";
import { goldenProject } from "./golden-project.ts";
import { anEvent } from "./project.ts";

const ISSUE = (number: number): string => `00000000-0000-7000-8000-00000000000${number}`;

const exception = (at: string, issue: number, fingerprint: string, event = "$exception") => ({
  ...{ at, event },
  properties: { $exception_issue_id: ISSUE(issue), $exception_fingerprint: fingerprint },
});

const golden = goldenProject(
  [
    exception("2026-01-01T10:00:00Z", 1, "a"),
    exception("2026-01-02T10:00:00Z", 1, "b"),
    exception("2026-01-03T10:00:00Z", 2, "c"),
    exception("2026-01-04T10:00:00Z", 3, "d"),
    // What calls itself an issue's event and is no exception.
    exception("2026-01-05T10:00:00Z", 3, "d", "click"),
    { at: "2026-01-06T10:00:00Z", event: "$exception", properties: { $exception_issue_id: "none", $exception_fingerprint: "" } },
    { at: "2026-01-07T10:00:00Z", properties: {} },
  ].map((sketch, at) => anEvent(sketch, at + 1)),
);

const pairs = (...all: readonly (readonly [string, string])[]): RowList =>
  rowList([
    { name: "source", kind: "text", values: all.map(([source]) => source) },
    { name: "target", kind: "text", values: all.map(([, target]) => target) },
  ]);

const NONE = { fingerprints: pairs(), issues: pairs() };

const text = (name: string, ...values: readonly (string | null)[]): ListColumn => ({ name, kind: "text", values });
const time = (name: string, ...values: readonly string[]): ListColumn => ({
  name,
  kind: "time",
  values: BigInt64Array.from(values, (each) => BigInt(Date.parse(each)) * 1_000n + 1n),
});

const ISSUES = rowList([
  text("id", ISSUE(1), ISSUE(2), ISSUE(9)),
  text("name", "E'", null, "F"),
  text("description", "first", null, ""),
  text("status", "active", "resolved", "active"),
  text("severity", "high", null, null),
  text("assignee", "user:17", null, null),
  time("first_seen", "2026-01-01T10:00:00Z", "2026-01-03T10:00:00Z", "1970-01-01T00:00:00Z"),
  text("merged_into", null, ISSUE(1), null),
  time("created_at", "2026-01-01T10:00:00Z", "2026-01-03T10:00:00Z", "2026-01-03T11:00:00Z"),
]);

describe("issue_id and fingerprint of events", () => {
  const rows = (moved = NONE) => golden.rows("SELECT issue_id, fingerprint FROM events ORDER BY timestamp", { moved });

  it("are those of the stored exception where nothing was moved", async () => {
    const stored = [
      [ISSUE(1), "a"],
      [ISSUE(1), "b"],
      [ISSUE(2), "c"],
      [ISSUE(3), "d"],
      [ISSUE(3), "d"],
      [null, null],
      [null, null],
    ];
    expect(await rows()).toEqual(stored);
    expect(await golden.rows("SELECT issue_id, fingerprint FROM events ORDER BY timestamp")).toEqual(stored);
  });

  it("follow the fingerprint, or else the issue", async () => {
    const moved = { fingerprints: pairs(["b", ISSUE(7)], ["x", ISSUE(8)]), issues: pairs([ISSUE(1), ISSUE(2)], [ISSUE(3), ISSUE(2)]) };
    expect((await rows(moved)).map(([issue]) => issue)).toEqual([ISSUE(2), ISSUE(7), ISSUE(2), ISSUE(2), ISSUE(2), null, null]);
    const onlyIssues = { fingerprints: pairs(), issues: pairs([ISSUE(3), ISSUE(2)]) };
    expect((await rows(onlyIssues)).map(([issue]) => issue)).toEqual([ISSUE(1), ISSUE(1), ISSUE(2), ISSUE(2), ISSUE(2), null, null]);
  });

  it("count each event once, whatever was moved", async () => {
    const moved = { fingerprints: pairs(["a", ISSUE(2)], ["b", ISSUE(2)]), issues: pairs([ISSUE(1), ISSUE(2)]) };
    expect(await golden.rows("SELECT issue_id, count() FROM events GROUP BY issue_id ORDER BY issue_id", { moved })).toEqual([
      [ISSUE(2), 3],
      [ISSUE(3), 2],
      [null, 2],
    ]);
  });

  it("compare with a text", async () => {
    expect(await golden.value(`SELECT count() FROM events WHERE issue_id = '${ISSUE(1)}'`)).toBe(2);
  });
});

describe("error_tracking_issues", () => {
  const rows = (query: string, moved = NONE) => golden.rows(query, { issues: ISSUES, moved });

  it("has these columns, all of them in *", async () => {
    expect((await golden.lowered("SELECT * FROM error_tracking_issues")).columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "id UUID",
      "name Nullable(String)",
      "description Nullable(String)",
      "status String",
      "severity Nullable(String)",
      "assignee Nullable(String)",
      "first_seen DateTime64(6)",
      "last_seen Nullable(DateTime64(6))",
      "merged_into Nullable(UUID)",
      "created_at DateTime64(6)",
    ]);
  });

  it("gives its rows, and reads no events without last_seen", async () => {
    const query =
      "SELECT id, name, description, status, severity, assignee, first_seen, merged_into, created_at FROM error_tracking_issues ORDER BY id";
    expect((await golden.lowered(query)).scans.map(({ kind }) => kind)).toEqual(["list"]);
    expect(await rows(query)).toEqual([
      [ISSUE(1), "E'", "first", "active", "high", "user:17", "2026-01-01T10:00:00.000001Z", null, "2026-01-01T10:00:00.000001Z"],
      [ISSUE(2), null, null, "resolved", null, null, "2026-01-03T10:00:00.000001Z", ISSUE(1), "2026-01-03T10:00:00.000001Z"],
      [ISSUE(9), "F", "", "active", null, null, "1970-01-01T00:00:00.000001Z", null, "2026-01-03T11:00:00.000001Z"],
    ]);
  });

  it("has the last time of an issue's exceptions, as they lead now", async () => {
    const query = "SELECT id, last_seen FROM error_tracking_issues ORDER BY id";
    expect(await rows(query)).toEqual([
      [ISSUE(1), "2026-01-02T10:00:00Z"],
      [ISSUE(2), "2026-01-03T10:00:00Z"],
      [ISSUE(9), null],
    ]);
    const moved = { fingerprints: pairs(["d", ISSUE(9)]), issues: pairs([ISSUE(2), ISSUE(1)]) };
    expect(await rows(query, moved)).toEqual([
      [ISSUE(1), "2026-01-03T10:00:00Z"],
      [ISSUE(2), null],
      [ISSUE(9), "2026-01-04T10:00:00Z"],
    ]);
  });

  it("joins with events", async () => {
    const query = `SELECT i.name, i.status, count(), i.last_seen FROM events AS e JOIN error_tracking_issues AS i ON i.id = e.issue_id
      WHERE e.event = '$exception' GROUP BY i.name, i.status, i.last_seen ORDER BY count() DESC`;
    expect(await rows(query)).toEqual([
      ["E'", "active", 2, "2026-01-02T10:00:00Z"],
      [null, "resolved", 1, "2026-01-03T10:00:00Z"],
    ]);
    expect(await rows("SELECT count() FROM error_tracking_issues LEFT JOIN events ON error_tracking_issues.id = events.issue_id")).toEqual([
      [4],
    ]);
  });

  it("is empty where a query is only checked", async () => {
    expect(await golden.rows("SELECT count(), max(last_seen) FROM error_tracking_issues")).toEqual([[0, null]]);
  });
});
