import type { Standing } from "./boot.ts";
import { functionName } from "./functions.ts";
import { rightsOf } from "./policies.ts";
import { type Ask, allows, type Statement } from "./rights.ts";
import type { Made } from "./template.ts";

export const KINDS = ["grant", "variable", "route", "permission", "index", "mapping"] as const;

/** A deployment from which one thing was taken out. */
export interface Mutant {
  readonly kind: (typeof KINDS)[number];
  /** The function that lacks it, without what the synthesis puts round its name; the table or the stack where it is no function's. */
  readonly of: string;
  /** What is gone: an action, a resource, a pattern of keys with what it is for, a variable, or the id of a resource. */
  readonly part: string;
  /** Whether what was recorded would have gone otherwise. */
  readonly noticed: boolean;
}

/**
 * Takes every single grant, variable, route, permission, index and mapping out of the templates, and asks what was recorded of a rehearsal
 * whether it would have missed it. A grant, an index and a permission are replayed; a route and a mapping count as missed where they were
 * used, and a variable where it was read.
 */
export const mutants = (standing: Standing): readonly Mutant[] => [
  ...grants(standing),
  ...variables(standing),
  ...routes(standing),
  ...permissions(standing),
  ...indexes(standing),
  ...standing.stage.of("AWS::Lambda::EventSourceMapping").map(
    ({ id, properties }): Mutant => ({
      kind: "mapping",
      of: plainName(functionName(properties.FunctionName)),
      part: "its queue",
      noticed: standing.used.has(id),
    }),
  ),
];

/** Eight digits that make a resource's id its own. */
const HASH = /[0-9A-F]{8}$/;

/** The name of a function without its stack's and without the digits at its end. */
const plainName = (ref: string): string => (ref.split("-").at(-1) ?? ref).replace(HASH, "");

/** What a resource is called within its stage: the folder of an object, the end of a name. */
const plainResource = (arn: string): string => plainName(arn.startsWith("arn:aws:s3:::") ? (arn.split("/").at(-2) ?? "all") : arn);

const list = (value: string | readonly string[]): readonly string[] => (typeof value === "string" ? [value] : value);

/** What a statement about the table is for; nothing where it is about something else. */
const useOfTable = ({ Action, Resource }: Statement): string => {
  const [, index] = /:table\/[^/]+\/index\/(\w+)/.exec(list(Resource).join()) ?? [];
  if (index !== undefined) return `list over ${index}`;
  if (list(Action).includes("dynamodb:PutItem")) return "write";
  return list(Action).includes("dynamodb:GetItem") ? "read" : "";
};

/** A statement without one of its actions, resources or patterns of keys; each with what is gone. */
const reduced = (statement: Statement): readonly (readonly [string, Statement])[] => {
  const without = (values: readonly string[], gone: string) => values.filter((value) => value !== gone);
  const [actions, resources, use] = [list(statement.Action), list(statement.Resource), useOfTable(statement)];
  const ofActions = actions.map(
    (gone) => [use === "" ? gone : `${use}: ${gone}`, { ...statement, Action: without(actions, gone) }] as const,
  );
  const ofResources =
    resources.length === 1
      ? []
      : resources.map(
          (gone) => [`${actions.at(-1)} of ${plainResource(gone)}`, { ...statement, Resource: without(resources, gone) }] as const,
        );
  const keys = statement.Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
  const patterns = Array.isArray(keys) ? keys.map(String) : [];
  const ofKeys = patterns.map((gone) => {
    const condition = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": without(patterns, gone) } };
    return [`${use} ${gone}`, { ...statement, Condition: condition }] as const;
  });
  return [...ofActions, ...ofResources, ...ofKeys];
};

/** The service writes functions' logs by their roles, out of the rehearsal's sight. */
const isOfLogs = ({ Action }: Statement): boolean => list(Action).every((action) => action.startsWith("logs:"));

const grants = ({ stage, asked }: Standing): readonly Mutant[] => {
  const statementsOf = rightsOf(stage);
  const asks = Map.groupBy(asked.values(), ({ caller }) => caller);
  return stage.of("AWS::Lambda::Function").flatMap(({ ref }) => {
    const statements = statementsOf(ref);
    const own: readonly Ask[] = (asks.get(ref) ?? []).map(({ ask }) => ask);
    return statements.flatMap((statement, at) =>
      statement.Effect === "Deny" || isOfLogs(statement)
        ? []
        : reduced(statement).map(([part, less]): Mutant => {
            const rest = statements.with(at, less);
            return { kind: "grant", of: plainName(ref), part, noticed: own.some((ask) => !allows(rest, ask)) };
          }),
    );
  });
};

const variables = ({ stage, read }: Standing): readonly Mutant[] =>
  stage
    .of("AWS::Lambda::Function")
    .flatMap(({ ref, properties }) =>
      Object.keys(properties.Environment?.Variables ?? {}).map(
        (name): Mutant => ({ kind: "variable", of: plainName(ref), part: name, noticed: read.has(`${ref}:${name}`) }),
      ),
    );

const routes = ({ stage, used }: Standing): readonly Mutant[] =>
  stage.of("AWS::ApiGateway::Method").map(({ id, properties }) => ({
    kind: "route",
    of: plainName(functionName(properties.Integration.Uri)),
    part: id.replace(HASH, ""),
    noticed: used.has(id),
  }));

/** The gateway's permissions are asked for with every call of a method; a rule's with every run of it. */
const permissions = ({ stage, used }: Standing): readonly Mutant[] => {
  const called = new Set(
    stage.of("AWS::ApiGateway::Method").flatMap(({ id, properties }) => (used.has(id) ? [functionName(properties.Integration.Uri)] : [])),
  );
  const isUsed = ({ properties }: Made): boolean =>
    properties.Principal === "events.amazonaws.com"
      ? used.has(String(properties.SourceArn).split("/").at(-1) ?? "")
      : called.has(functionName(properties.FunctionName));
  return stage.of("AWS::Lambda::Permission").map((each) => ({
    kind: "permission",
    of: plainName(functionName(each.properties.FunctionName)),
    part: each.properties.Principal,
    noticed: isUsed(each),
  }));
};

const indexes = ({ stage, asked }: Standing): readonly Mutant[] =>
  stage.of("AWS::DynamoDB::GlobalTable").flatMap(({ ref, properties }) =>
    (properties.GlobalSecondaryIndexes ?? []).map(({ IndexName }: { readonly IndexName: string }): Mutant => {
      const noticed = [...asked.values()].some(({ ask }) => ask.resource.endsWith(`table/${ref}/index/${IndexName}`));
      return { kind: "index", of: plainName(ref), part: IndexName, noticed };
    }),
  );
