import { expect, test } from "vitest";
import * as z from "zod";
import type { Objects } from "../../lib/ports/objects.ts";
import { aTenant, eventually, itsOwnPlatform } from "../../test/support/processes/platform.ts";
import { runLine } from "./run.ts";

const platform = itsOwnPlatform();

const admin = (...words: readonly string[]) => runLine([...words, "--data-dir", platform().dataDir], {});

const Verified = z.object({
  ok: z.boolean(),
  projects: z.number(),
  rows: z.number().nullable(),
  problems: z.array(z.object({ project: z.number().nullable(), key: z.string(), says: z.string() })),
  problem_count: z.number(),
});

const verify = async (...words: readonly string[]) => {
  const { text, exitCode } = await admin("verify", "--json", ...words);
  return { exitCode, ...Verified.parse(JSON.parse(text)) };
};

const keysBelow = async (objects: Pick<Objects, "list">, prefix: string) =>
  (await objects.list(prefix, null)).objects.map(({ key }) => key).toSorted();

const send = async (token: string, from: number) => {
  const batch = Array.from({ length: 50 }, (_, at) => ({
    event: at % 2 === 0 ? "seen" : "$identify",
    distinct_id: `person-${from + at}`,
    properties: { $set: { place: from + at } },
  }));
  const answer = await fetch(`${platform().ingestUrl}/batch/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: token, batch }),
  });
  expect(answer.status).toBe(200);
};

test("verify finds everything there, then what is missing, cut off or another file, and says so by its exit code", async () => {
  const { world } = platform();
  const { projectId, projectToken } = await aTenant(world);
  const filesFrom = async (from: number, files: number) => {
    await send(projectToken, from);
    return eventually(async () => {
      const keys = await keysBelow(world.objects, `events/project=${projectId}/`);
      expect(keys).toHaveLength(files);
      expect(await keysBelow(world.objects, `state/${projectId}/persons/`)).not.toHaveLength(0);
      return keys;
    });
  };
  await filesFrom(0, 1);
  const [whole = "", cut = ""] = await filesFrom(1_000, 2);
  expect(await verify("--deep")).toMatchObject({ exitCode: 0, ok: true, projects: 1, rows: 100, problems: [] });
  expect(await verify()).toMatchObject({ exitCode: 0, ok: true, rows: null });
  expect(await verify("--project", String(projectId))).toMatchObject({ exitCode: 0, ok: true, projects: 1 });
  expect((await admin("verify")).text).toMatch(/^Every object that the table names is there and intact: 1 project, \d+ objects of /);

  const bytes = (await world.objects.get(cut)) ?? new Uint8Array();
  await world.objects.put(cut, bytes.subarray(0, bytes.length - 20));
  expect(await verify()).toMatchObject({
    exitCode: 1,
    ok: false,
    problems: [{ project: projectId, key: cut, says: expect.stringMatching(/^has \d+ bytes/) }],
  });

  const damaged = Uint8Array.from(bytes);
  damaged.fill(7, 4, bytes.length >> 1);
  await world.objects.put(cut, damaged);
  expect(await verify()).toMatchObject({ exitCode: 0, ok: true });
  const deep = await verify("--deep");
  expect(deep).toMatchObject({ exitCode: 1, ok: false });
  expect(deep.problems.map(({ key }) => key)).toContain(cut);

  await world.objects.put(cut, bytes);
  await world.objects.remove([whole]);
  expect(await verify()).toMatchObject({
    exitCode: 1,
    problem_count: 1,
    problems: [{ project: projectId, key: whole, says: "is missing" }],
  });
  const { text, exitCode } = await admin("verify");
  expect({ text, exitCode }).toEqual({ exitCode: 1, text: expect.stringContaining(`${whole} is missing.\n`) });
  expect(text).toContain("1 problem: infra/guide.md says what to do (what verify finds).");
});
