import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const Resource = z.looseObject({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).optional() });
const Template = z.looseObject({
  Resources: z.record(z.string(), Resource).default({}),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});
type Template = z.output<typeof Template>;
const Assets = z.object({ files: z.record(z.string(), z.object({ source: z.object({ path: z.string() }) })) });

const NESTED = "AWS::CloudFormation::Stack";

/**
 * A template of a synthesis as one: what the stacks within it make stands among its own resources, and what they hand to each other is
 * replaced by what it stands for. `counts`: how many resources each of them has by itself, as the service counts them.
 */
export const inlineNested = (folder: string, file: string): { readonly template: Template; readonly counts: readonly number[] } => {
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const outer = Template.parse(json(file));
  const nested = Object.entries(outer.Resources).filter(([, { Type }]) => Type === NESTED);
  const counts = [Object.keys(outer.Resources).length];
  if (nested.length === 0) return { template: outer, counts };
  const { files } = Assets.parse(json(file.replace(".template.json", ".assets.json")));
  const resources = new Map(Object.entries(outer.Resources).filter(([, { Type }]) => Type !== NESTED));
  const outputs = new Map<string, unknown>();
  for (const [id, { Properties = {} }] of nested) {
    const url = JSON.stringify(Properties.TemplateURL);
    const asset = Object.entries(files).find(([hash]) => url.includes(hash))?.[1];
    if (asset === undefined) throw new Error(`${file}: ${id} has no template`);
    const given = z.record(z.string(), z.unknown()).parse(Properties.Parameters ?? {});
    const text = replaced(json(asset.source.path), ({ Ref }) => (typeof Ref === "string" ? given[Ref] : undefined));
    const inner = Template.parse(text);
    counts.push(Object.keys(inner.Resources).length);
    for (const [name, resource] of Object.entries(inner.Resources)) {
      if (resources.has(name)) throw new Error(`${file}: ${name} is made twice`);
      resources.set(name, resource);
    }
    for (const [name, { Value }] of Object.entries(inner.Outputs)) outputs.set(`${id}.Outputs.${name}`, Value);
  }
  const whole = replaced({ ...outer, Resources: Object.fromEntries(resources) }, (value) => {
    const attribute = value["Fn::GetAtt"];
    return Array.isArray(attribute) ? outputs.get(attribute.join(".")) : undefined;
  });
  return { template: Template.parse(whole), counts };
};

/** A value in which every object that `instead` has something for is replaced by it, and what stands in its place looked through as well. */
const replaced = (value: unknown, instead: (object: Readonly<Record<string, unknown>>) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((each) => replaced(each, instead));
  if (typeof value !== "object" || value === null) return value;
  const found = instead({ ...value });
  if (found !== undefined) return replaced(found, instead);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part, instead)]));
};
