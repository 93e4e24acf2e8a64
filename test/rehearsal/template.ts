import { readFileSync } from "node:fs";
import { join, resolve as resolvePath } from "node:path";
import * as z from "zod";

/** The account of the embedded queues. */
export const ACCOUNT = "000000000000";
export const REGION = "us-east-1";

const Resource = z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) });
const Template = z.object({
  Resources: z.record(z.string(), Resource).default({}),
  Outputs: z.record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.string() }).optional() })).default({}),
});
export type Template = z.output<typeof Template>;

const Manifest = z.object({
  artifacts: z.record(z.string(), z.object({ type: z.string(), properties: z.object({ templateFile: z.string().optional() }).optional() })),
});
const Assets = z.object({ files: z.record(z.string(), z.object({ source: z.object({ path: z.string() }) })) });

/** What a synthesis wrote: the templates by stack, in the order of their making, and where each asset of code lies. */
export interface Output {
  readonly templates: ReadonlyMap<string, Template>;
  /** Templates of stacks within others, by the key under which they are uploaded. */
  readonly within: ReadonlyMap<string, Template>;
  /** Folders of code, by the key under which they are uploaded. */
  readonly assets: ReadonlyMap<string, string>;
}

const NESTED = ".nested.template.json";

export const readOutput = (folder: string): Output => {
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const stacks = Object.entries(Manifest.parse(json("manifest.json")).artifacts).flatMap(([name, { type, properties }]) =>
    type === "aws:cloudformation:stack" && properties?.templateFile !== undefined ? [[name, properties.templateFile] as const] : [],
  );
  const assets = stacks.flatMap(([name]) => Object.entries(Assets.parse(json(`${name}.assets.json`)).files));
  const nested = assets.filter(([, { source }]) => source.path.endsWith(NESTED));
  return {
    templates: new Map(stacks.map(([name, file]) => [name, Template.parse(json(file))])),
    within: new Map(nested.map(([hash, { source }]) => [`${hash}.json`, Template.parse(json(source.path))])),
    assets: new Map(assets.map(([hash, { source }]) => [`${hash}.zip`, resolvePath(folder, source.path)])),
  };
};

/** A resource with all its references replaced by what they stand for. */
export interface Made {
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  /** Looked into freely, as CloudFormation's own services do: a wrong look is a rehearsal that fails. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema of templates is CloudFormation's.
  readonly properties: Readonly<Record<string, any>>;
  /** What `Ref` of it is: a name or an address. */
  readonly ref: string;
  /** Its address, where it has one. */
  readonly arn: string;
}

export interface MadeStage {
  readonly resources: readonly Made[];
  /** The outputs of each stack, by its name; that of the front stack is the shortest. */
  readonly outputs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  of(type: string): readonly Made[];
}

/** The attributes of a resource that `Fn::GetAtt` may ask for; a `Ref` is the attribute `Ref`. */
type Attributes = (id: string, stack: string, resource: Template["Resources"][string]) => Readonly<Record<string, string>>;

/** Where the embedded queues answer: an address of a queue is all that a template says of it. */
const attributes =
  (queues: string): Attributes =>
  (id, stack, { Type, Properties }) => {
    const name = `${stack}-${id}`;
    const arn = (service: string, resource: string) => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;
    switch (Type) {
      case "AWS::DynamoDB::GlobalTable":
        return { Ref: name, Arn: arn("dynamodb", `table/${name}`) };
      case "AWS::S3::Bucket":
        return { Ref: name.toLowerCase(), Arn: `arn:aws:s3:::${name.toLowerCase()}` };
      case "AWS::SQS::Queue":
        return { Ref: `${queues}/${ACCOUNT}/${name}`, Arn: arn("sqs", name), QueueName: name };
      case "AWS::Lambda::Function":
        return { Ref: name, Arn: arn("lambda", `function:${name}`) };
      case "AWS::Lambda::Version":
        return { Ref: arn("lambda", `function:${functionOf(stack, Properties)}:1`), Version: "1" };
      case "AWS::Lambda::Alias":
        return { Ref: arn("lambda", `function:${functionOf(stack, Properties)}:${Properties.Name}`) };
      case "AWS::IAM::Role":
        return { Ref: name, Arn: `arn:aws:iam::${ACCOUNT}:role/${name}` };
      case "AWS::Logs::LogGroup":
        return { Ref: name, Arn: arn("logs", `log-group:${name}:*`) };
      case "AWS::Events::Rule":
        return { Ref: name, Arn: arn("events", `rule/${name}`) };
      case "AWS::SNS::Topic":
        return { Ref: arn("sns", name) };
      case "AWS::ApiGateway::RestApi":
        return { Ref: id.toLowerCase(), RootResourceId: `${id}-root` };
      case "AWS::ApiGateway::DomainName":
        return { Ref: String(Properties.DomainName), RegionalDomainName: `${id.toLowerCase()}.execute-api.${REGION}.amazonaws.com` };
      default:
        return { Ref: name, Arn: arn("unknown", name) };
    }
  };

/** The name of the function that a version or an alias of the same template is of. */
const functionOf = (stack: string, { FunctionName }: Template["Resources"][string]["Properties"]): string =>
  `${stack}-${Object(FunctionName).Ref}`;

/** A stack within another one. Its resources count as the other's. */
const STACK = "AWS::CloudFormation::Stack";

const PSEUDO: Readonly<Record<string, string>> = {
  "AWS::Region": REGION,
  "AWS::AccountId": ACCOUNT,
  "AWS::Partition": "aws",
  "AWS::URLSuffix": "amazonaws.com",
};

/** What a stack is resolved with: what stacks before it export, and what another one hands to it. */
interface Surroundings {
  readonly exported: Map<string, string>;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Resolves all references of a stage. Throws for one that leads nowhere, as a deployment would end. */
export const resolveStage = ({ templates, within }: Omit<Output, "assets">, queues: string): MadeStage => {
  const attributesOf = attributes(queues);
  const resources: Made[] = [];

  /** Notes what a template makes, and returns its outputs. */
  const make = (stack: string, { Resources, Outputs }: Template, { exported, parameters }: Surroundings): ReadonlyMap<string, string> => {
    const known = new Map(Object.entries(Resources).map(([id, resource]) => [id, attributesOf(id, stack, resource)]));
    const attribute = (id: string, name: string): string => {
      const value = known.get(id)?.[name] ?? (name === "Ref" ? (parameters[id] ?? PSEUDO[id]) : undefined);
      if (value === undefined) throw new Error(`${stack}: nothing is known of ${id}.${name}`);
      return String(value);
    };
    const text = (value: unknown): string => String(resolve(value));
    const resolve = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(resolve);
      if (typeof value !== "object" || value === null) return value;
      const [only, ...others] = Object.entries(value);
      if (only !== undefined && others.length === 0) {
        const [name, given] = only;
        if (name === "Ref") return attribute(given, "Ref");
        if (name === "Fn::GetAtt") return attribute(given[0], given[1]);
        if (name === "Fn::Join") return given[1].map(text).join(given[0]);
        if (name === "Fn::Split") return text(given[1]).split(given[0]);
        if (name === "Fn::Select") return Object(resolve(given[1]))[given[0]];
        if (name === "Fn::Sub") return String(given).replaceAll(/\$\{([^}]+)\}/g, (_, id: string) => attribute(id, "Ref"));
        if (name === "Fn::ImportValue") {
          const imported = exported.get(text(given));
          if (imported === undefined) throw new Error(`${stack}: no stack before it exports ${text(given)}`);
          return imported;
        }
      }
      return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
    };
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      if (Type !== STACK) continue;
      const template = within.get(text(Properties.TemplateURL).split("/").at(-1) ?? "");
      if (template === undefined) throw new Error(`${stack}: the template of ${id} is no asset of the synthesis`);
      const outputs = make(stack, template, { exported, parameters: Object(resolve(Properties.Parameters ?? {})) });
      known.set(id, { ...known.get(id), ...Object.fromEntries([...outputs].map(([name, value]) => [`Outputs.${name}`, value])) });
    }
    for (const [id, { Type, Properties }] of Object.entries(Resources)) {
      const properties = Object.fromEntries(Object.entries(Properties).map(([name, value]) => [name, resolve(value)]));
      const ref = attribute(id, "Ref");
      resources.push({ stack, id, type: Type, properties, ref, arn: known.get(id)?.Arn ?? ref });
    }
    for (const { Value, Export } of Object.values(Outputs)) if (Export !== undefined) exported.set(Export.Name, text(Value));
    return new Map(Object.entries(Outputs).map(([name, { Value }]) => [name, text(Value)]));
  };

  const exported = new Map<string, string>();
  const outputs = new Map([...templates].map(([stack, template]) => [stack, make(stack, template, { exported, parameters: {} })]));
  return { resources, outputs, of: (type) => resources.filter((each) => each.type === type) };
};
