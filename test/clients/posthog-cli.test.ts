import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import * as z from "zod";
import { apiClient } from "../support/api-client.ts";
import { aPlatform, aTenant } from "../support/processes/platform.ts";
import { buildShop } from "../support/symbols/shop-bundle.ts";

/** The command line tool, where somebody has it: it comes by no package of npm. */
const TOOL = process.env.POSTHOG_CLI;

const platform = aPlatform();

const List = z.object({
  count: z.number(),
  results: z.array(
    z.looseObject({ ref: z.string(), has_uploaded_file: z.boolean(), release: z.looseObject({ version: z.string() }).nullable() }),
  ),
});

it.skipIf(TOOL === undefined)(
  "posthog-cli, unmodified, uploads a build once, and its next release beside it",
  { timeout: 60_000 },
  async () => {
    const tenant = await aTenant(platform().world);
    const api = apiClient(platform().baseUrl, tenant.personalKey);
    const folder = await mkdtemp(join(tmpdir(), "build-"));
    const run = async (...flags: readonly string[]): Promise<string> => {
      const env = {
        ...process.env,
        POSTHOG_CLI_HOST: platform().baseUrl,
        POSTHOG_CLI_API_KEY: tenant.personalKey,
        POSTHOG_CLI_PROJECT_ID: String(tenant.projectId),
      };
      const tool = spawn(TOOL ?? "", ["sourcemap", ...flags, "--directory", folder, "--release-name", "shop"], { env });
      const [said, warned, [code]] = await Promise.all([text(tool.stdout), text(tool.stderr), once(tool, "close")]);
      expect([code, code === 0 ? "" : said + warned]).toEqual([0, ""]);
      return said + warned;
    };
    try {
      const { code, map } = await buildShop("none");
      await writeFile(join(folder, "app.js"), `${code}\n//# sourceMappingURL=app.js.map\n`);
      await writeFile(join(folder, "app.js.map"), map);
      await run("inject", "--release-version", "1.0");
      expect(await run("upload", "--release-version", "1.0")).toContain("1 chunk(s) uploaded");
      expect(await run("upload", "--release-version", "1.0")).toContain("1 already present");
      await run("process", "--release-version", "1.1", "--release-mode", "symbol-set");
      const { body } = await api.get(`/api/projects/${tenant.projectId}/error_tracking/symbol_sets/`);
      const { results } = List.parse(body);
      expect(results.map(({ has_uploaded_file, release }) => [has_uploaded_file, release?.version])).toEqual([
        [true, "1.1"],
        [true, undefined],
      ]);
      expect(await readFile(join(folder, "app.js"), "utf8")).toContain(`//# chunkId=${results[0]?.ref}`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
