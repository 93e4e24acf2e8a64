import type { Standing } from "./boot.ts";
import { functionName } from "./functions.ts";
import { rightsOf } from "./policies.ts";
import { type Ask, allows, type Statement } from "./rights.ts";
import type { Made } from "./template.ts";

/** A deployment from which one thing was taken out. */
export interface Mutant {
  readonly kind: "grant" | "variable" | "route" | "permission" | "index" | "mapping";
  readonly name: string;
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
  ...standing.stage
    .of("AWS::Lambda::EventSourceMapping")
    .map(({ id }): Mutant => ({ kind: "mapping", name: id, noticed: standing.used.has(id) })),
];

const list = (value: string | readonly string[]): readonly string[] => (typeof value === "string" ? [value] : value);

/** A statement without one of its actions, resources or patterns of keys; each with what is gone. */
const reduced = (statement: Statement): readonly (readonly [string, Statement])[] => {
  const without = (values: readonly string[], gone: string) => values.filter((value) => value !== gone);
  const [actions, resources] = [list(statement.Action), list(statement.Resource)];
  const ofActions = actions.map((gone) => [gone, { ...statement, Action: without(actions, gone) }] as const);
  const ofResources =
    resources.length === 1 ? [] : resources.map((gone) => [gone, { ...statement, Resource: without(resources, gone) }] as const);
  const keys = statement.Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
  const patterns = Array.isArray(keys) ? keys.map(String) : [];
  const ofKeys = patterns.map((gone) => {
    const condition = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": without(patterns, gone) } };
    return [gone, { ...statement, Condition: condition }] as const;
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
        : reduced(statement).map(([gone, less]): Mutant => {
            const rest = statements.with(at, less);
            return { kind: "grant", name: `${ref}: ${gone}`, noticed: own.some((ask) => !allows(rest, ask)) };
          }),
    );
  });
};

const variables = ({ stage, read }: Standing): readonly Mutant[] =>
  stage
    .of("AWS::Lambda::Function")
    .flatMap(({ ref, properties }) =>
      Object.keys(properties.Environment?.Variables ?? {}).map(
        (name): Mutant => ({ kind: "variable", name: `${ref}: ${name}`, noticed: read.has(`${ref}:${name}`) }),
      ),
    );

const routes = ({ stage, used }: Standing): readonly Mutant[] =>
  stage.of("AWS::ApiGateway::Method").map(({ id }) => ({ kind: "route", name: id, noticed: used.has(id) }));

/** The gateway's permissions are asked for with every call of a method; a rule's with every run of it. */
const permissions = ({ stage, used }: Standing): readonly Mutant[] => {
  const called = new Set(
    stage.of("AWS::ApiGateway::Method").flatMap(({ id, properties }) => (used.has(id) ? [functionName(properties.Integration.Uri)] : [])),
  );
  const isUsed = ({ properties }: Made): boolean =>
    properties.Principal === "events.amazonaws.com"
      ? used.has(String(properties.SourceArn).split("/").at(-1) ?? "")
      : called.has(functionName(properties.FunctionName));
  return stage.of("AWS::Lambda::Permission").map((each) => ({ kind: "permission", name: each.id, noticed: isUsed(each) }));
};

const indexes = ({ stage, asked }: Standing): readonly Mutant[] =>
  stage.of("AWS::DynamoDB::GlobalTable").flatMap(({ ref, properties }) =>
    (properties.GlobalSecondaryIndexes ?? []).map(({ IndexName }: { readonly IndexName: string }): Mutant => {
      const noticed = [...asked.values()].some(({ ask }) => ask.resource.endsWith(`table/${ref}/index/${IndexName}`));
      return { kind: "index", name: `${ref}: ${IndexName}`, noticed };
    }),
  );
