import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LogMode, terminalLog } from "./terminal-log.ts";

const written: string[] = [];

beforeEach(() => {
  written.length = 0;
  vi.spyOn(process.stderr, "write").mockImplementation((line) => written.push(String(line)) > 0);
});
afterEach(() => vi.restoreAllMocks());

const eventsIn = (mode: LogMode): readonly string[] => {
  const log = terminalLog(mode);
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
});
