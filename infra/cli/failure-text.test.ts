import { expect, test } from "vitest";
import { UserError } from "../local/user-error.ts";
import { failureText } from "./failure-text.ts";

/** As the embedded stores say it: the table and the queues, and the objects, whose client expects XML. */
const FULL_DISKS = [
  new Error("database or disk is full"),
  Object.assign(new Error("@aws-sdk XML parse error: unexpected content."), {
    $responseBodyText:
      '{"statusCode":500,"code":"ENOSPC","error":"Internal Server Error","message":"ENOSPC: no space left on device, write"}',
  }),
];

test("what its reader can put right is told in a sentence, a full disk too, and anything else with where it comes from", async () => {
  expect(await failureText(new UserError("Say where."))).toBe("Say where.");
  for (const full of FULL_DISKS) expect(await failureText(full)).toBe("The disk is full: make room, and run the same command again.");
  expect(await failureText(new Error("broken"))).toMatch(/^Error: broken\n +at /);
  expect(await failureText("broken")).toBe("broken");
});
