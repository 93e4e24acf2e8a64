import { type Node, parseSync, visitorKeys } from "oxc-parser";

export type { Node };

/** A node with where it stands. */
export interface Place {
  readonly node: Node;
  /** The key of the parent under which it is. */
  readonly key: string;
  readonly parent: Place | null;
}

/** The tree of a TypeScript file, or null where the text is none. */
export const parsed = (path: string, text: string): Node | null => {
  const { program, errors } = parseSync(path, text);
  return errors.length === 0 ? program : null;
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value && "start" in value;

const FROM_TYPES = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSInstantiationExpression"]);

/** Every node of the running program, parents first; types are left out. */
export function* places(node: Node, key = "", parent: Place | null = null): Generator<Place> {
  if (node.type.startsWith("TS") && !FROM_TYPES.has(node.type)) return;
  const place: Place = { node, key, parent };
  yield place;
  const fields = new Map(Object.entries(node));
  for (const child of visitorKeys[node.type] ?? []) {
    const value: unknown = fields.get(child);
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield* places(each, child, place);
  }
}

const STATEMENTS = /^(?:Expression|Return|Throw|If|For|ForOf|ForIn|While|DoWhile|Try|Switch|Break|Continue)Statement$/;
const BINDING =
  /Pattern$|^(?:RestElement|SpreadElement|Property|PropertyDefinition|TemplateElement|SwitchCase|CatchClause|Super|PrivateIdentifier)$/;
const DECLARING = /Declaration$|Declarator$|Specifier$|^(?:Program|ClassBody|MethodDefinition|ImportAttribute|MetaProperty)$/;

export type PlaceKind = "expression" | "statement" | "block";

/** How another text can stand in for a node while the program runs; null where it cannot. */
export const kindOf = ({ node, key, parent }: Place): PlaceKind | null => {
  if (node.type === "BlockStatement") return "block";
  if (STATEMENTS.test(node.type)) return "statement";
  if (BINDING.test(node.type) || DECLARING.test(node.type) || /Statement$/.test(node.type) || parent === null) return null;
  if (parent.node.type === "ChainExpression" || isInChain(node, key, parent)) return null;
  if (key === "callee" || key === "tag" || key === "id" || key === "param" || key === "params" || key === "label") return null;
  if (key === "left" && /^(?:Assignment|ForOf|ForIn)/.test(parent.node.type)) return null;
  if (parent.node.type === "UpdateExpression" || (parent.node.type === "UnaryExpression" && parent.node.operator === "delete")) return null;
  if (key === "property" && parent.node.type === "MemberExpression" && !parent.node.computed) return null;
  if (key === "key" && "computed" in parent.node && parent.node.computed !== true) return null;
  if (/^(?:Import|Export)/.test(parent.node.type)) return null;
  return isPattern(parent) ? null : "expression";
};

/** Part of `a?.b.c()`: another text in the middle of it would not be skipped with the rest. */
const isInChain = (node: Node, key: string, parent: Place): boolean => {
  if (!["object", "callee"].includes(key) && node.type !== "ChainExpression") return false;
  for (let place: Place | null = parent; place !== null; place = place.parent) {
    if (place.node.type === "ChainExpression") return true;
    if (place.key !== "object" && place.key !== "callee" && place.key !== "expression") return false;
  }
  return false;
};

/** Names that are bound, not read. */
const isPattern = (place: Place): boolean => {
  const { node, parent } = place;
  if (node.type === "ArrayPattern" || node.type === "ObjectPattern" || node.type === "RestElement") return true;
  return node.type === "Property" && parent?.node.type === "ObjectPattern";
};
