import { expect, test } from "vitest";
import { UserError } from "../local/user-error.ts";
import { failureText } from "./failure-text.ts";

test("what its reader can put right is told in a sentence, a full disk too, and anything else with where it comes from", () => {
  expect(failureText(new UserError("Say where."))).toBe("Say where.");
  expect(failureText(new Error("database or disk is full"))).toBe(
    "The disk is full (database or disk is full): make room, and run the same command again.",
  );
  expect(failureText(new Error("broken"))).toMatch(/^Error: broken\n +at /);
  expect(failureText("broken")).toBe("broken");
});
