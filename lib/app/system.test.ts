import { describe, expect, test } from "vitest";
import { jsonLog, systemIds } from "./system.ts";

const at = (now: number) => ({ now: () => now });

describe("ids", () => {
  test("a UUID is of version 7 and begins with the time", () => {
    const uuid = systemIds(at(0x0123_4567_89ab)).uuid();
    expect(uuid).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("ULIDs ascend within one millisecond and when the clock steps back", () => {
    const time = { value: 1_000_000 };
    const ids = systemIds({ now: () => time.value });
    const made = Array.from({ length: 1_000 }, (_, index) => {
      if (index === 500) time.value -= 10_000;
      return ids.ulid();
    });
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(1_000);
    expect(made[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  test("a ULID's first ten characters are its time", () => {
    expect(systemIds(at(1_469_918_176_385)).ulid().slice(0, 10)).toBe("01ARYZ6S41");
  });

  test("secrets have the asked length and differ", () => {
    const ids = systemIds(at(0));
    expect(ids.secret(32)).toHaveLength(32);
    expect(ids.secret(32)).not.toEqual(ids.secret(32));
  });
});

test("a log line is one line of JSON with its time", () => {
  const lines: string[] = [];
  jsonLog(at(0), (line) => lines.push(line)).line("warn", "batch", { failed: 2, reason: "a\nb", none: undefined });
  expect(lines).toEqual(['{"timestamp":"1970-01-01T00:00:00.000Z","level":"warn","event":"batch","failed":2,"reason":"a\\nb"}\n']);
});
