import { describe, expect, it } from "vitest";
import { GENERATION, NEXT_GENERATION } from "../../lib/core/formats.ts";
import { FORMATS_WRITTEN, STACK_OUTPUTS } from "../outputs.ts";
import { checkFormats } from "./check-formats.ts";

/** An account in which a release is deployed that reads and writes these generations. */
const deployed = (read: number, written: number) => ({
  outputs: async (stack: string) => new Map([stack === "shop" ? [STACK_OUTPUTS.formatsRead, `${read}`] : [FORMATS_WRITTEN, `${written}`]]),
});

describe("formats of a deployment", () => {
  it.each([
    ["a new stage", { outputs: async () => undefined }, String(NEXT_GENERATION)],
    ["the same release", deployed(NEXT_GENERATION, GENERATION), undefined],
    ["the same release, told to write what it reads", deployed(NEXT_GENERATION, GENERATION), String(NEXT_GENERATION)],
    ["the release after one that reads what it writes", deployed(GENERATION, GENERATION - 1), undefined],
    ["the release before one that writes what it reads", deployed(NEXT_GENERATION + 1, NEXT_GENERATION), undefined],
  ])("are those that both sides read: %s", async (_, account, writeFormats) => {
    await expect(checkFormats(account, "shop", writeFormats)).resolves.toBeUndefined();
  });

  it("are not written before all functions read them", async () => {
    const before = deployed(GENERATION, GENERATION - 1);
    await expect(checkFormats(before, "shop", String(NEXT_GENERATION))).rejects.toThrow(
      `deploy this release with -c writeFormats=${GENERATION} first, then once more with ${NEXT_GENERATION}`,
    );
    await expect(checkFormats(deployed(GENERATION - 1, GENERATION - 2), "shop", undefined)).rejects.toThrow("deploy a release between");
  });

  it("are not left to a release that does not read them", async () => {
    const after = deployed(NEXT_GENERATION + 2, NEXT_GENERATION + 1);
    await expect(checkFormats(after, "shop", undefined)).rejects.toThrow(`shop writes formats of generation ${NEXT_GENERATION + 1}`);
  });
});
