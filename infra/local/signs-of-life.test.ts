import { describe, expect, test } from "vitest";
import { signsOfLife } from "./signs-of-life.ts";

describe("a line of what happened", () => {
  test("says nothing when nothing did", () => {
    const signs = signsOfLife();
    signs.take("schedule", {});
    expect(signs.line()).toBeUndefined();
  });

  test("sums events in, rows that became visible, what waits between them, and runs", () => {
    const signs = signsOfLife();
    signs.take("request", { route: "capture", status: 200, events: 20 });
    signs.take("request", { route: "capture", status: 200, events: 5 });
    expect(signs.line()).toBe("events in 25   waiting 25");
    signs.take("ingest", { rows: 20, events: 20, dropped: 0 });
    signs.take("request", { route: "POST /api/projects/{project_id}/endpoints/{name}/run/", status: 200 });
    expect(signs.line()).toBe("rows visible 20   waiting 5   runs 1");
    signs.take("ingest", { rows: 4, events: 4, dropped: 1 });
    expect(signs.line()).toBe("rows visible 4");
  });

  test("tells each kind of refusal with its reason, and counts those beyond three", () => {
    const signs = signsOfLife();
    const refused = { method: "POST", path: "/batch/", route: "capture", status: 401, reason: "API key is not valid: empty" };
    signs.take("request", refused);
    signs.take("request", refused);
    signs.take("request", { method: "GET", path: "/apii/", route: "none", status: 404 });
    expect(signs.line()).toBe("refused 2: 401 POST /batch/: API key is not valid: empty   refused: 404 GET /apii/");
    for (const code of ["a", "b", "c", "d", "e"]) signs.take("request", { method: "GET", path: "/api/x/", status: 400, code });
    expect(signs.line()).toMatch(/and 2 other refusals$/);
  });

  test("tells of dead letters and what to do with whatever happens, and by themselves when there are more or fewer", () => {
    const signs = signsOfLife();
    const told = (dead: number, what = "") => `${what}dead letters ${dead}: see infra/runbook.md, then npm run admin -- redrive`;
    expect(signs.line(3)).toBe(told(3));
    expect(signs.line(3)).toBeUndefined();
    signs.take("ingest", { rows: 20, events: 20, dropped: 0 });
    expect(signs.line(3)).toBe(told(3, "rows visible 20   "));
    expect(signs.line(4)).toBe(told(4));
    expect(signs.line(0)).toBeUndefined();
    expect(signs.line(3)).toBe(told(3));
  });
});
