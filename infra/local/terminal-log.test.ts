import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LogMode, terminalLog } from "./terminal-log.ts";

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  vi.spyOn(process.stderr, "write").mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => vi.restoreAllMocks());

const eventsIn = (mode: LogMode): readonly string[] => {
  const log = terminalLog("/data", mode);
  log.line("debug", "taken", {});
  log.line("info", "refused", {});
  log.line("warn", "late", {});
  log.line("error", "broken", {});
  return written.map((line) => JSON.parse(line).event);
};

describe("a terminal", () => {
  it.each(["lines", "quiet"] as const)("is told of what went wrong, with %s", (mode) => {
    expect(eventsIn(mode)).toEqual(["late", "broken"]);
  });
  it("is told of everything as JSON", () => {
    expect(eventsIn("json")).toEqual(["taken", "refused", "late", "broken"]);
  });

  it("is told of a full disk in one sentence, whatever fails by it", () => {
    const log = terminalLog("/data/of mine", "lines");
    log.line("warn", "queue.send_failed", { reason: "ERR_SQLITE_ERROR: database or disk is full" });
    log.line("error", "request", { status: 503, fault: "InternalServerError: commit failed (backend: database or disk is full)" });
    log.line("error", "request", { status: 500, fault: "Error: something else" });
    expect(written).toHaveLength(2);
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d {2}The disk that \/data\/of mine lies on is full: .* Make some, .*\n$/);
    expect(JSON.parse(written[1] ?? "")).toMatchObject({ status: 500 });
  });

  it("is told of nothing that fails because the platform ends", () => {
    const log = terminalLog("/data", "lines");
    log.end();
    log.line("error", "request", { status: 503, fault: "Unavailable: The platform is being stopped." });
    expect(written).toEqual([]);
  });
});
