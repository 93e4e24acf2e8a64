import { test } from "vitest";
import { prove } from "./prove.ts";

test("shows exactly what was sent, through kills and while it is asked all the time", async () => {
  await prove({ events: 4_000, kills: 2, seed: 7, say: () => undefined });
});
