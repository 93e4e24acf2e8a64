import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GENERATION, NEXT_GENERATION } from "../../lib/core/formats.ts";
import type { Output, Template } from "./template.ts";

type Properties = Template["Resources"][string]["Properties"];

/** A synthesis in which every function says something else. */
const withFunctions = (output: Output, change: (properties: Properties) => Properties): Output => {
  const changed = ({ Resources, ...rest }: Template): Template => ({
    ...rest,
    Resources: Object.fromEntries(
      Object.entries(Resources).map(([id, resource]) => [
        id,
        resource.Type === "AWS::Lambda::Function" ? { ...resource, Properties: change(resource.Properties) } : resource,
      ]),
    ),
  });
  const all = (templates: Output["templates"]) => new Map([...templates].map(([name, template]) => [name, changed(template)]));
  return { ...output, templates: all(output.templates), within: all(output.within) };
};

/** The same release, told to write the formats of another generation: what the next release writes by itself. */
export const writing = (output: Output, generation: number): Output =>
  withFunctions(output, (properties) => ({
    ...properties,
    Environment: { Variables: { ...Object(Object(properties.Environment).Variables), WRITE_FORMATS: String(generation) } },
  }));

/** The same release without the word that its functions may call themselves through queues for as long as they like. */
export const withoutLoops = (output: Output): Output => withFunctions(output, ({ RecursiveLoop: _, ...properties }) => properties);

/** How the compiled code says that it reads a version: any up to the next generation's. */
const READS_NEXT = new RegExp(String.raw`(typeof ([\w$]+)=="number"&&\2<=[\w$]+)\+${NEXT_GENERATION}-${GENERATION}`, "g");

/** Compiled code that reads no versions but those that it writes; the same where it reads none. */
export const readingFewer = (text: string): string => text.replaceAll(READS_NEXT, "$1");

/** A release before this one, as it were, which reads no formats but those that it writes. `folder` is where its code is put. */
export const readingOwn = async (output: Output, folder: string): Promise<Output> => {
  const assets = new Map<string, string>();
  for (const [key, path] of output.assets) {
    const into = join(folder, key);
    if (key.endsWith(".zip") && (await copyOlder(path, into))) assets.set(`older-${key}`, into);
  }
  if (assets.size === 0) throw new Error("no function says which versions it reads as it is looked for");
  const code = ({ Code, ...properties }: Properties): Properties => {
    const key = `older-${Object(Code).S3Key}`;
    return { ...properties, Code: assets.has(key) ? { ...Object(Code), S3Key: key } : Code };
  };
  return { ...withFunctions(output, code), assets: new Map([...output.assets, ...assets]) };
};

/** Copies code that reads versions, and has it read fewer. Returns whether there was any. */
const copyOlder = async (asset: string, into: string): Promise<boolean> => {
  const names = (await readdir(asset).catch(() => [])).filter((name) => name.endsWith(".mjs"));
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await readFile(join(asset, name), "utf8") })));
  const older = texts.flatMap(({ name, text }) => {
    const changed = readingFewer(text);
    return changed === text ? [] : [{ name, changed }];
  });
  if (older.length === 0) return false;
  await cp(asset, into, { recursive: true });
  for (const { name, changed } of older) await writeFile(join(into, name), changed);
  return true;
};
