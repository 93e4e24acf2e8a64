import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { itsOwnPlatform } from "../../test/support/processes/platform.ts";
import { startPlatform } from "./platform.ts";

describe("the local platform", () => {
  const platform = itsOwnPlatform();
  const options = () => ({ port: 0, host: "127.0.0.1", dataDir: platform().dataDir, empty: true });

  test("an empty one tells its two addresses, to its owner alone", () => {
    const file = join(platform().dataDir, "credentials.json");
    const { baseUrl, ingestUrl } = platform();
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ base_url: baseUrl, ingest_url: ingestUrl });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("an empty one signs nobody in", async () => {
    const { baseUrl, dataDir } = platform();
    expect(JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"))).not.toHaveProperty("personal_api_key");
    for (const method of ["GET", "POST"]) expect((await fetch(`${baseUrl}/local/sign-in/`, { method })).status).toBe(404);
  });

  test("a second start on the same directory is refused and says who has it", async () => {
    await expect(startPlatform(options())).rejects.toThrow(`process ${process.pid}, ${platform().baseUrl}`);
    expect((await fetch(`${platform().baseUrl}/_liveness`)).status).toBe(200);
  });

  test("a start that fails leaves its directory free", async () => {
    const dataDir = join(platform().dataDir, "other");
    const port = Number(new URL(platform().baseUrl).port);
    await expect(startPlatform({ ...options(), dataDir, port })).rejects.toThrow("is in use");
    const other = await startPlatform({ ...options(), dataDir });
    await other.stop();
    expect(existsSync(join(dataDir, "platform.json"))).toBe(false);
  });
});
