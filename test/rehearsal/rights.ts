/** One thing that somebody asks a service to do. */
export interface Ask {
  readonly action: string;
  readonly resource: string;
  /** What conditions look at, by its key; a list for the keys of a request. */
  readonly context: Readonly<Record<string, readonly string[]>>;
}

export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const list = <T>(value: T | readonly T[]): readonly T[] => (Array.isArray(value) ? value : [value as T]);

const patterns = new Map<string, RegExp>();
/** `*` and `?` as policies mean them. */
const matches = (pattern: string, text: string): boolean => {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    const source = pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    compiled = new RegExp(`^${source}$`, "s");
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
};

const same = (wanted: string, had: string): boolean => wanted === had;

const OPERATORS: Readonly<Record<string, (wanted: string, had: string) => boolean>> = {
  StringEquals: same,
  StringLike: matches,
  ArnLike: matches,
  ArnEquals: matches,
  Bool: same,
  NumericLessThan: (wanted, had) => Number(had) < Number(wanted),
};

/** A test of one value in four parts: of all values or of any, turned round, and whether no value will do. */
const OPERATOR = /^(ForAllValues:|ForAnyValue:)?(String|Arn)?(Not)?(\w+?)(IfExists)?$/;

const holds = (operator: string, key: string, wanted: unknown, context: Ask["context"]): boolean => {
  const had = context[key] ?? [];
  if (operator === "Null") return list(wanted).some((one) => (had.length === 0) === (String(one) === "true"));
  const [, quantity, kind = "", turned, verb = "", optional] = OPERATOR.exec(operator) ?? [];
  const compare = OPERATORS[kind + verb];
  if (compare === undefined) throw new Error(`the condition ${operator} is none that the rehearsal knows`);
  const isOne = (value: string): boolean => list(wanted).some((one) => compare(String(one), value));
  const fits = (value: string): boolean => isOne(value) !== (turned !== undefined);
  if (quantity === "ForAllValues:") return had.every(fits);
  // With no value at all a condition does not hold, unless it is turned round or says so.
  if (had.length === 0) return quantity === undefined && (turned !== undefined || optional !== undefined);
  return had.some(fits);
};

const applies = (statement: Statement, { action, resource, context }: Ask): boolean =>
  list(statement.Action).some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
  list(statement.Resource).some((pattern) => matches(pattern, resource)) &&
  Object.entries(statement.Condition ?? {}).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, key, wanted, context)),
  );

/** Whether policies let somebody do something: one has to allow it, and none may deny it. */
export const allows = (statements: readonly Statement[], ask: Ask): boolean => {
  const applying = statements.filter((statement) => applies(statement, ask));
  return applying.some(({ Effect }) => Effect === "Allow") && !applying.some(({ Effect }) => Effect === "Deny");
};
