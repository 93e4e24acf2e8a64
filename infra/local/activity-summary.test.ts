import { describe, expect, test } from "vitest";
import { openActivitySummary } from "./activity-summary.ts";

describe("the line of what happened", () => {
  test("says nothing when nothing did", () => {
    const summary = openActivitySummary();
    summary.take("schedule", {});
    expect(summary.line()).toBeUndefined();
  });

  test("sums events in, rows that became visible, what waits between them, and runs", () => {
    const summary = openActivitySummary();
    summary.take("request", { route: "capture", status: 200, events: 20 });
    summary.take("request", { route: "capture", status: 200, events: 5 });
    expect(summary.line()).toBe("events in 25   waiting 25");
    summary.take("ingest", { rows: 20, events: 20, dropped: 0 });
    summary.take("request", { route: "POST /api/projects/{project_id}/endpoints/{name}/run/", status: 200 });
    expect(summary.line()).toBe("rows visible 20   waiting 5   runs 1");
    summary.take("ingest", { rows: 4, events: 4, dropped: 1 });
    expect(summary.line()).toBe("rows visible 4");
  });

  test("tells each kind of refusal with its reason, and counts those beyond three", () => {
    const summary = openActivitySummary();
    const refused = { method: "POST", path: "/batch/", route: "capture", status: 401, reason: "API key is not valid: empty" };
    summary.take("request", refused);
    summary.take("request", refused);
    summary.take("request", { method: "GET", path: "/apii/", route: "none", status: 404 });
    expect(summary.line()).toBe("refused 2: 401 POST /batch/: API key is not valid: empty   refused: 404 GET /apii/");
    for (const code of ["a", "b", "c", "d", "e"]) summary.take("request", { method: "GET", path: "/api/x/", status: 400, code });
    expect(summary.line()).toMatch(/and 2 other refusals$/);
  });

  test("tells of dead letters and what to do with whatever happens, and by themselves when there are more or fewer", () => {
    const summary = openActivitySummary();
    const told = (dead: number, what = "") => `${what}dead letters ${dead}: see infra/runbook.md, then npm run admin -- redrive`;
    expect(summary.line(3)).toBe(told(3));
    expect(summary.line(3)).toBeUndefined();
    summary.take("ingest", { rows: 20, events: 20, dropped: 0 });
    expect(summary.line(3)).toBe(told(3, "rows visible 20   "));
    expect(summary.line(4)).toBe(told(4));
    expect(summary.line(0)).toBeUndefined();
    expect(summary.line(3)).toBe(told(3));
  });
});
