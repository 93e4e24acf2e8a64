import { runInThisContext } from "node:vm";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { type Built, buildShop } from "../../support/symbols/shop-bundle.ts";
import { sourceAndMap } from "../../support/symbols/symbol-file.ts";
import { uploadSets } from "../../support/symbols/upload.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
});

const base = () => `/api/projects/${tenant.projectId}/error_tracking`;

const Shop = z.record(
  z.string(),
  z.custom<() => unknown>((value) => typeof value === "function"),
);

/** Runs the built shop as a page does, and gives what an engine says of the error: `function@line:column` from the outermost in. */
const thrown = ({ code }: Built, what: string): readonly Place[] => {
  const filename = "https://shop.test/assets/app.js";
  runInThisContext(code, { filename });
  try {
    Shop.parse(Reflect.get(globalThis, "shop"))[what]?.();
  } catch (error) {
    return (error instanceof Error ? (error.stack ?? "") : "")
      .split("\n")
      .flatMap((line) => {
        const match = /^ +at (?:(.*) \()?https:\/\/shop\.test\/assets\/app\.js:(\d+):(\d+)\)?$/.exec(line);
        return match === null ? [] : [{ function: match[1] ?? "?", lineno: Number(match[2]), colno: Number(match[3]) }];
      })
      .reverse();
  }
  throw new Error("nothing was thrown");
};

interface Place {
  readonly function: string;
  readonly lineno: number;
  readonly colno: number;
}

const anException = (places: readonly Place[], chunk_id: string | null, filename = "https://shop.test/assets/app.js") => ({
  event: "$exception",
  distinct_id: "ann",
  properties: {
    $exception_list: [
      {
        type: "Error",
        value: "boom",
        stacktrace: {
          type: "raw",
          frames: places.map((place) => ({
            ...{ platform: "web:javascript", filename, in_app: true, chunk_id },
            ...place,
          })),
        },
      },
    ],
  },
});

const send = (...batch: readonly object[]): Promise<void> => sendTo(tenant, ...batch);

const sendTo = async ({ projectToken }: ATenant, ...batch: readonly object[]): Promise<void> => {
  const body = JSON.stringify({ api_key: projectToken, batch });
  expect((await fetch(`${platform().baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

const Frames = z.object({
  results: z.array(
    z.looseObject({
      contents: z.looseObject({ raw_id: z.string(), source: z.string().optional(), resolved_name: z.string().optional() }),
      resolved: z.boolean(),
      symbol_set_ref: z.string().nullable(),
      context: z.looseObject({ line: z.object({ number: z.number(), line: z.string() }) }).nullable(),
    }),
  ),
});

/** The stored frames of a chunk. */
const storedFrames = async (chunk: string) => {
  const { results } = Frames.parse((await api.post(`${base()}/stack_frames/batch_get/`, {})).body);
  return results.filter(({ symbol_set_ref }) => symbol_set_ref === chunk);
};

const issues = async (): Promise<number> => z.object({ count: z.number() }).parse((await api.get(`${base()}/issues/`)).body).count;

it("a minified stack of any browser comes out as the sources' names and lines, and is one issue", async () => {
  const chunk = "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e11";
  const built = await buildShop(chunk);
  await uploadSets(api, tenant.projectId, { [chunk]: sourceAndMap(built) });
  const chrome = thrown(built, "tooMuch");
  // Firefox names the owner of a function otherwise; Safari points behind what is called.
  const firefox = chrome.map((place) => ({ ...place, function: place.function.replace(/^.*\./, "") }));
  const safari = firefox.map((place) => ({ ...place, colno: place.colno + place.function.length }));
  await send(...[chrome, firefox, safari].map((places) => anException(places, chunk)));
  const found = await eventually(
    async () => {
      const frames = await storedFrames(chunk);
      expect(frames.length).toBeGreaterThanOrEqual(chrome.length);
      return frames;
    },
    { everyMs: 100 },
  );
  const places = new Set(
    found.map(
      ({ contents, context }) => `${contents.resolved_name} ${contents.source}:${context?.line.number} ${context?.line.line.trim()}`,
    ),
  );
  expect(places).toEqual(
    new Set([
      "tooMuch src/checkout.ts:22 tooMuch: () => handlePay([{ price: 7 }, { price: 8 }]),",
      'handlePay src/checkout.ts:19 const handlePay = (items: Item[]) => new Checkout(items).pay("4242");',
      "pay src/checkout.ts:8 return this._charge(total(this.items), card);",
      '_charge src/checkout.ts:12 if (amount > 10) throw new RangeError("declined");',
    ]),
  );
  expect(await issues()).toBe(1);
});

it("a map that comes late resolves the frames that are stored, and those of libraries are not the program's own", async () => {
  const chunk = "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e12";
  const built = await buildShop(chunk);
  const places = thrown(built, "retried");
  await send(anException(places, chunk, "https://shop.test/assets/late.js"));
  const waiting = await eventually(
    async () => {
      const { results } = Frames.parse((await api.post(`${base()}/stack_frames/batch_get/`, {})).body);
      const found = results.filter(({ contents }) => contents.source === "/assets/late.js");
      expect(found).toHaveLength(places.length);
      return found;
    },
    { everyMs: 100 },
  );
  expect(waiting.every(({ symbol_set_ref, contents }) => symbol_set_ref === null && contents.resolve_failure !== undefined)).toBe(true);
  await uploadSets(api, tenant.projectId, { [chunk]: sourceAndMap(built) });
  const resolved = await eventually(
    async () => {
      const found = await storedFrames(chunk);
      expect(found).toHaveLength(waiting.length);
      return found;
    },
    { everyMs: 100 },
  );
  expect(new Set(resolved.map(({ contents }) => `${contents.resolved_name} ${contents.source} ${contents.in_app}`))).toEqual(
    new Set([
      "retried src/checkout.ts true",
      "retry node_modules/retry/index.js false",
      "handlePay src/checkout.ts true",
      "pay src/checkout.ts true",
      "_charge src/checkout.ts true",
      "<anonymous> src/checkout.ts true",
    ]),
  );
});

it("a file without a chunk's id is found by its release and the path of its address, whatever follows that", async () => {
  const { id } = z.looseObject({ id: z.string() }).parse((await api.post(`${base()}/releases/`, { version: "1", project: "shop" })).body);
  const ref = `${id}/assets/by-path.js`;
  const map = JSON.stringify({ version: 3, names: [], sources: ["by-path.ts"], mappings: "AAAA" });
  await uploadSets(api, tenant.projectId, { [ref]: sourceAndMap({ code: "", map }) });
  const addresses = ["?v=1#top", ":1:1"].map((ending) => `https://shop.test/assets/by-path.js${ending}`);
  const batch = addresses.map((filename, at) => anException([{ function: `byPath${at}`, lineno: 1, colno: 1 }], null, filename));
  await send(...batch.map((event) => ({ ...event, properties: { ...event.properties, $release_id: id } })));
  await eventually(
    async () => {
      expect((await storedFrames(ref)).map(({ contents }) => contents.source)).toEqual(["by-path.ts", "by-path.ts"]);
    },
    { everyMs: 100 },
  );
});

it("a map that takes the place of another one resolves the stored frames anew, at once", async () => {
  const chunk = "replaced";
  const becomes = async (source: string) => {
    const map = JSON.stringify({ version: 3, names: [], sources: [source], mappings: "AAAA" });
    await uploadSets(api, tenant.projectId, { [chunk]: sourceAndMap({ code: "", map }) }, { force: true });
    await eventually(
      async () => {
        expect((await storedFrames(chunk)).map(({ contents }) => contents.source)).toEqual([source]);
      },
      { everyMs: 100 },
    );
  };
  await send(anException([{ function: chunk, lineno: 1, colno: 1 }], chunk));
  await becomes("first.ts");
  await becomes("second.ts");
});

it.each([
  [
    "leads to a source that it does not list",
    { sources: [], mappings: "AAAA" },
    "The source map that was uploaded has nothing for this place.",
  ],
  [
    "has no list of the sources to be ignored",
    { sources: ["a.js"], mappings: "AAAA", ignoreList: 5 },
    "The uploaded source map is none of version 3.",
  ],
])("a map that %s resolves nothing, and holds up no event", async (why, broken, failure) => {
  const map = JSON.stringify({ version: 3, names: [], ...broken });
  await uploadSets(api, tenant.projectId, { [why]: sourceAndMap({ code: "", map }) });
  await send(anException([{ function: why, lineno: 1, colno: 1 }], why));
  await eventually(
    async () => {
      const { results } = Frames.parse((await api.post(`${base()}/stack_frames/batch_get/`, {})).body);
      expect(results.find(({ contents }) => contents.mangled_name === why)?.contents).toMatchObject({ resolve_failure: failure });
    },
    { everyMs: 100 },
  );
});

it("a frame whose chunk has a longer id than any set holds up no event", async () => {
  const name = "ofLongChunk";
  await send(anException([{ function: name, lineno: 1, colno: 1 }], "あ".repeat(400)));
  await eventually(
    async () => {
      const { results } = Frames.parse((await api.post(`${base()}/stack_frames/batch_get/`, {})).body);
      expect(results.map(({ contents }) => contents.mangled_name)).toContain(name);
    },
    { everyMs: 100 },
  );
});

it("a function that is as long as an event may be is resolved without a name, at once", async () => {
  const chunk = "ofLongName";
  const map = JSON.stringify({ version: 3, names: [], sources: ["long.ts"], mappings: "AAAA" });
  await uploadSets(api, tenant.projectId, { [chunk]: sourceAndMap({ code: "", map }) });
  const began = performance.now();
  await send(anException([{ function: `${"a".repeat(5_000)}(`, lineno: 1, colno: 1 }], chunk));
  await send(anException([{ function: `${"a".repeat(500_000)}(`, lineno: 1, colno: 1 }], chunk));
  await send(anException([{ function: "after", lineno: 1, colno: 1 }], chunk));
  await eventually(
    async () => {
      const names = (await storedFrames(chunk)).map(({ contents }) => contents.resolved_name);
      expect(names.toSorted()).toEqual(["<anonymous>", "after"]);
    },
    { everyMs: 100 },
  );
  expect(performance.now() - began).toBeLessThan(20_000);
});

it("the frames that a set resolved are found behind more newer ones than an answer holds", async () => {
  const own = await aTenant(platform().world);
  const ownApi = apiClient(platform().baseUrl, own.personalKey);
  const framesOf = async (body: object) => {
    const { results } = Frames.parse(
      (await ownApi.post(`/api/projects/${own.projectId}/error_tracking/stack_frames/batch_get/`, body)).body,
    );
    return results.map(({ contents }) => contents.source);
  };
  const map = JSON.stringify({ version: 3, names: [], sources: ["old.ts"], mappings: "AAAA" });
  const { old: set } = await uploadSets(ownApi, own.projectId, { old: sourceAndMap({ code: "", map }) });
  await sendTo(own, anException([{ function: "old", lineno: 1, colno: 1 }], "old"));
  await eventually(async () => expect(await framesOf({})).toEqual(["old.ts"]), { everyMs: 100 });
  const large = (lineno: number) => ({
    ...{ platform: "python", filename: "new.py", function: "f", lineno },
    code_variables: { long: "v".repeat(4_000) },
  });
  const newer = Array.from({ length: 12 }, (_, event) => {
    const stacktrace = { type: "raw", frames: Array.from({ length: 100 }, (_, at) => large(100 * event + at)) };
    return { ...anException([], null), properties: { $exception_list: [{ type: "Error", stacktrace }] } };
  });
  await sendTo(own, ...newer);
  await eventually(
    async () => {
      const sources = await framesOf({});
      expect(sources.length).toBeGreaterThan(800);
      expect(sources).not.toContain("old.ts");
    },
    { everyMs: 200, budgetMs: 15_000 },
  );
  expect(await framesOf({ symbol_set: set })).toEqual(["old.ts"]);
});

it("what a map says is cut where it is longer than anybody reads", async () => {
  const chunk = "wordy";
  const said = { sources: [`${"s".repeat(100_000)}.ts`], names: ["n".repeat(100_000)], mappings: "AAAA,SAAAA" };
  await uploadSets(api, tenant.projectId, {
    [chunk]: sourceAndMap({ code: "function pay(){}", map: JSON.stringify({ version: 3, ...said }) }),
  });
  await send(anException([{ function: "pay", lineno: 1, colno: 14 }], chunk));
  const [frame] = await eventually(
    async () => {
      const frames = await storedFrames(chunk);
      expect(frames).toHaveLength(1);
      return frames;
    },
    { everyMs: 100, budgetMs: 15_000 },
  );
  expect(frame?.contents).toMatchObject({ source: `${"s".repeat(1_997)}...`, resolved_name: `${"n".repeat(997)}...` });
});

it("of many source maps that are needed at once so many are opened as there is time for, and the other frames say so", async () => {
  const chunks = Array.from({ length: 70 }, (_, at) => `one of many ${at}`);
  await uploadSets(api, tenant.projectId, Object.fromEntries(chunks.map((chunk) => [chunk, Buffer.from("no map")])));
  const event = anException([], null);
  const [exception] = event.properties.$exception_list;
  for (const [at, chunk] of chunks.entries()) {
    const [frame] =
      anException([{ function: "ofMany", lineno: 1, colno: at + 1 }], chunk).properties.$exception_list[0]?.stacktrace.frames ?? [];
    if (frame) exception?.stacktrace.frames.push(frame);
  }
  await send(event);
  await eventually(
    async () => {
      const { results } = Frames.parse((await api.post(`${base()}/stack_frames/batch_get/`, {})).body);
      const failures = results.flatMap(({ contents }) => (contents.mangled_name === "ofMany" ? String(contents.resolve_failure) : []));
      expect(failures).toHaveLength(chunks.length);
      expect([...new Set(failures)].toSorted()).toEqual([
        "The uploaded file is no symbol set of posthog-cli and no source map.",
        "Too many source maps were needed at once. Upload the source map again to have the frame resolved.",
      ]);
    },
    { everyMs: 100 },
  );
});
