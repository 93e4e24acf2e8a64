import { describe, expect, it } from "vitest";
import { memoryKeyPlace } from "../../test/support/memory-token-keys.ts";
import { systemClock, systemIds } from "../app/system.ts";
import { tokenKeysAt } from "../ports/token-keys.ts";
import { isSealedAnew, readSettings, readToken, sealSettings, UnreadableToken } from "./integration-tokens.ts";
import { Integration } from "./integrations.ts";

const setUp = () => {
  const place = memoryKeyPlace();
  const opened = () => tokenKeysAt(place, systemClock, systemIds(systemClock));
  return { place, opened, keys: opened() };
};

const HOME = { project_id: 1, id: 7 };
const GIVEN = { organization: "acme", access_token: "gh-token" };

const integration = (stored: Partial<Integration>): Integration =>
  Integration.parse({ ...HOME, kind: "github", config: {}, created_at: "2026-01-01T00:00:00Z", ...stored });

describe("the token of an integration", () => {
  it("is encrypted and read again, beside settings that stay as they are", async () => {
    const { keys, opened } = setUp();
    const sealed = await sealSettings(keys, HOME, GIVEN);
    expect(sealed.config).toEqual({ organization: "acme" });
    expect(JSON.stringify(sealed)).not.toContain("gh-token");
    expect(Buffer.from(sealed.sealed_token?.text ?? "", "base64").includes("gh-token")).toBe(false);
    expect(await readToken(opened(), integration(sealed))).toBe("gh-token");
    expect(await readSettings(opened(), integration(sealed))).toEqual(GIVEN);
  });

  it("looks another way each time", async () => {
    const { keys } = setUp();
    const [one, other] = [await sealSettings(keys, HOME, GIVEN), await sealSettings(keys, HOME, GIVEN)];
    expect(one.sealed_token?.key).toBe(other.sealed_token?.key);
    expect(one.sealed_token?.text).not.toBe(other.sealed_token?.text);
  });

  it("opens for its own integration alone: neither for another of the project nor for another project's", async () => {
    const { keys } = setUp();
    const sealed = await sealSettings(keys, HOME, GIVEN);
    for (const foreign of [{ project_id: 2 }, { id: 8 }, { project_id: 17, id: 7 }])
      await expect(readToken(keys, integration({ ...sealed, ...foreign }))).rejects.toThrow(UnreadableToken);
  });

  it("does not open once any part of it was changed or cut off", async () => {
    const { keys } = setUp();
    const sealed = await sealSettings(keys, HOME, GIVEN);
    const { key = "", text = "" } = sealed.sealed_token ?? {};
    const bytes = Buffer.from(text, "base64");
    const changed = [...bytes.keys()].map((at) => Buffer.from(bytes.with(at, (bytes[at] ?? 0) ^ 1)));
    const cut = [0, 1, 27, bytes.length - 1].map((length) => bytes.subarray(0, length));
    for (const each of [...changed, ...cut]) {
      const stored = integration({ ...sealed, sealed_token: { key, text: each.toString("base64") } });
      await expect(readToken(keys, stored)).rejects.toThrow(UnreadableToken);
    }
  });

  it("of an older key is read, and known to be one; of a key that is gone it is not", async () => {
    const { keys, place, opened } = setUp();
    const old = integration(await sealSettings(keys, HOME, GIVEN));
    expect(await isSealedAnew(opened(), old)).toBe(true);
    const newer = `newer:${Buffer.alloc(32, 9).toString("base64")}\n`;
    place.text = newer + place.text;
    expect(await readToken(opened(), old)).toBe("gh-token");
    expect(await isSealedAnew(opened(), old)).toBe(false);
    const next = integration(await sealSettings(opened(), HOME, GIVEN));
    expect(next.sealed_token?.key).toBe("newer");
    // Whoever has read the older keys learns of the newer one.
    expect(await readToken(opened(), next)).toBe("gh-token");
    place.text = newer;
    await expect(readToken(opened(), old)).rejects.toThrow("no key is called");
  });

  it("of an earlier release is read as it stands, also where an encrypted one is older", async () => {
    const { keys, place } = setUp();
    const plain = integration({ config: GIVEN });
    expect(await readToken(keys, plain)).toBe("gh-token");
    expect(await isSealedAnew(keys, plain)).toBe(false);
    expect(place.text).toBeUndefined();
    const older = await sealSettings(keys, HOME, { ...GIVEN, access_token: "older" });
    expect(await readToken(keys, integration({ ...older, config: GIVEN }))).toBe("gh-token");
  });

  it("may be none, for which no key is made", async () => {
    const { keys, place } = setUp();
    const sealed = await sealSettings(keys, HOME, { organization: "acme" });
    expect(sealed).toEqual({ config: { organization: "acme" }, sealed_token: null });
    expect(await readToken(keys, integration(sealed))).toBeUndefined();
    expect(await isSealedAnew(keys, integration(sealed))).toBe(true);
    expect(place.text).toBeUndefined();
  });
});
