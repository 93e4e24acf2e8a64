import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import * as z from "zod";
import { type Bundles, bundleAll, entries } from "../../infra/functions.ts";
import { addStage } from "../../infra/stacks/stage.ts";
import { type Output, readOutput } from "../rehearsal/template.ts";
import { inlineNested } from "./nested-stacks.ts";

const Resource = z.object({
  Type: z.string(),
  Properties: z.record(z.string(), z.any()).default({}),
  DeletionPolicy: z.string().optional(),
  DependsOn: z.array(z.string()).default([]),
});
const Template = z.object({
  Resources: z.record(z.string(), Resource).default({}),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.string() }).optional() })).default({}),
});

/** A resource of any stack; properties are looked into freely, a wrong look is a failing test. */
export interface Made {
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: templates are data of CloudFormation's, and the assertions are their schema.
  readonly properties: Readonly<Record<string, any>>;
  readonly deletion: string | undefined;
  readonly dependsOn: readonly string[];
}

/** What the templates of a stage say. */
export interface Templates {
  /** Those of a stack within another count as the other's. */
  readonly resources: readonly Made[];
  /** How many resources each template has by itself. */
  readonly counts: readonly number[];
  readonly outputs: Readonly<Record<string, readonly string[]>>;
  /** The names of what stacks hand to each other. */
  readonly exports: readonly string[];
  /** The nag rules' report, stack by stack. Synthesis fails where it holds a finding that nobody acknowledged. */
  readonly findings: unknown;
  /** The same as a rehearsal reads it. */
  readonly output: Output;
  of(type: string): readonly Made[];
}

/** The same with its files, which stay until they are discarded. */
export interface Stage extends Templates {
  readonly bundles: Bundles;
  /** Where the synthesis wrote its templates and assets. */
  readonly folder: string;
  discard(): Promise<void>;
}

/** Synthesises a stage as `npm run synth` does, with the bundles but without the engine's native code, which may not be fetched here. */
export const synthesised = async (): Promise<Stage> => {
  const folder = await newFolder();
  const bundles = await bundleAll(join(folder, "functions"));
  const discard = (): Promise<void> => discarded(folder);
  return { ...synthesise({}, bundles, join(folder, "out")), bundles, folder: join(folder, "out"), discard };
};

/** The same with settings, and with bundles of one line: only the hashes of the code differ, and bundling takes longer than the rest. */
export const synthesisedWith = async (settings: Readonly<Record<string, string>>): Promise<Templates> => {
  const folder = await newFolder();
  try {
    return synthesise(settings, await hollowBundles(join(folder, "functions")), join(folder, "out"));
  } finally {
    await discarded(folder);
  }
};

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "synth-"));

const discarded = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

const hollowBundles = async (into: string): Promise<Bundles> =>
  new Map(
    await Promise.all(
      entries.map(async ({ name }) => {
        const folder = join(into, name);
        await mkdir(folder, { recursive: true });
        await writeFile(join(folder, "handler.mjs"), `// ${name}\n`);
        return [name, folder] as const;
      }),
    ),
  );

const synthesise = (given: Readonly<Record<string, string>>, bundles: Bundles, folder: string): Templates => {
  const settings = z.object({ context: z.record(z.string(), z.unknown()) }).parse(JSON.parse(readFileSync("cdk.json", "utf8")));
  const app = new App({ outdir: folder, context: { ...settings.context, ...given } });
  addStage(app, "test", bundles);
  const { stacks } = app.synth();
  const read = stacks.map(({ stackName, templateFile }) => ({ stackName, ...inlineNested(folder, templateFile) }));
  const templates = read.map(({ stackName, template }) => ({ stack: stackName, ...Template.parse(template) }));
  const resources = templates.flatMap(({ stack, Resources }) =>
    Object.entries(Resources).map(([id, { Type, Properties, DeletionPolicy, DependsOn }]) => ({
      stack,
      id,
      type: Type,
      properties: Properties,
      deletion: DeletionPolicy,
      dependsOn: DependsOn,
    })),
  );
  return {
    resources,
    counts: read.flatMap(({ counts }) => counts),
    outputs: Object.fromEntries(templates.map(({ stack, Outputs }) => [stack, Object.keys(Outputs)])),
    exports: templates.flatMap(({ Outputs }) => Object.values(Outputs).flatMap(({ Export }) => Export?.Name ?? [])).toSorted(),
    findings: JSON.parse(readFileSync(join(folder, "validation-report.json"), "utf8")).pluginReports,
    output: readOutput(folder),
    of: (type) => resources.filter((resource) => resource.type === type),
  };
};
