import { build } from "esbuild";
import { expect, it } from "vitest";

const MAX_KB = 618;

it("capture carries no schema library and no engine, starts without the object store's client, and stays below 618 KB", async () => {
  const { metafile } = await build({
    entryPoints: ["functions/capture/handler.ts"],
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    platform: "node",
    target: "node24",
    mainFields: ["module", "main"],
    // What capture's world never opens.
    external: ["*/segments.ts", "*/aws-engine.ts", "*/aws-file-credentials.ts", "*/aws-mail.ts", "*/aws-model.ts", "*/aws-registry.ts"],
    outdir: "bundle",
    metafile: true,
    write: false,
  });
  const outputs = Object.entries(metafile.outputs);
  expect(Object.keys(metafile.inputs).filter((path) => /node_modules\/(zod|@duckdb|@posthog|hyparquet)/.test(path))).toEqual([]);

  const entry = outputs.find(([, output]) => output.entryPoint === "functions/capture/handler.ts")?.[0] ?? "";
  const atStart = reachable(entry, metafile.outputs);
  const loaded = atStart.flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  expect(loaded.filter((path) => /@aws-sdk\/|@smithy\/|aws-counts/.test(path))).toEqual([]);

  const kilobytes = outputs.reduce((sum, [, output]) => sum + output.bytes, 0) / 1024;
  expect(kilobytes).toBeLessThan(MAX_KB);
});

/** The files that the entry loads before anything runs. */
const reachable = (
  entry: string,
  outputs: Readonly<Record<string, { readonly imports: readonly { path: string; kind: string }[] }>>,
): readonly string[] => {
  const found = new Set([entry]);
  for (const path of found) {
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") found.add(next);
    }
  }
  return [...found];
};
