import { expect, it } from "vitest";
import { finishUploads, removeSet, startUploads } from "../../../functions/error-tracking/symbol-sets/upload.ts";
import { planUploads, readSets } from "../../../functions/error-tracking/symbol-sets/upload-plan.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { apiWorld } from "../../support/worlds/api-world.ts";

const MEGABYTE = 1_000_000;

/** A project that may keep two megabytes, and how its client uploads. */
const setup = () => {
  const objects = memoryObjects();
  const { world, sent } = apiWorld({ objects, config: readConfig((field) => (field === "symbolSetsMb" ? "2" : undefined)) });
  const start = async (ref: string, bytes: number | undefined, contentHash = ref) => {
    const uploads = [{ ref, releaseId: null, contentHash, bytes }];
    const addresses = await startUploads(world, 1, await planUploads(world, 1, uploads, { force: true }));
    return addresses.get(ref);
  };
  const put = async (ref: string, bytes: number, contentHash = ref): Promise<string> => {
    const address = await start(ref, undefined, contentHash);
    await objects.put(address?.admission.form.fields.key ?? "", new Uint8Array(bytes));
    await finishUploads(world, 1, new Map([[address?.id ?? "", contentHash]]));
    return address?.id ?? "";
  };
  return { world, objects, sent, start, put };
};

it("a file that does not fit is refused before it is uploaded where its size is told, and else afterwards, and leaves nothing", async () => {
  const { start, put, objects } = setup();
  await put("first", MEGABYTE);
  await expect(start("second", MEGABYTE + 1)).rejects.toMatchObject({ status: 400, body: { code: "storage_limit_exceeded" } });
  await expect(put("second", MEGABYTE + 1)).rejects.toMatchObject({ status: 400, body: { code: "storage_limit_exceeded" } });
  expect(objects.contents.size).toBe(1);
  await put("second", MEGABYTE);
});

it("what is replaced or deleted makes room, and its file is gone", async () => {
  const { world, put, objects } = setup();
  const first = await put("first", 2 * MEGABYTE);
  expect(await put("first", MEGABYTE, "another")).toBe(first);
  expect([...objects.contents.values()].map(({ length }) => length)).toEqual([MEGABYTE]);
  await put("second", MEGABYTE);
  const [set] = await readSets(world.table, 1, [first]);
  if (set === undefined) throw new Error("the set is gone");
  await removeSet(world, set);
  await put("third", MEGABYTE);
  expect(objects.contents.size).toBe(2);
});

it("an upload that is begun anew gives up the file that was never said to be there", async () => {
  const { start, put, objects, sent } = setup();
  const address = await start("first", undefined);
  await objects.put(address?.admission.form.fields.key ?? "", new Uint8Array(9));
  await put("first", 5);
  expect([...objects.contents.values()].map(({ length }) => length)).toEqual([5]);
  expect(sent.map(({ queue, body }) => [queue, JSON.parse(body)])).toEqual([
    ["jobs", { v: 2, kind: "resolve-frames", project: 1, refs: ["first"] }],
  ]);
});
