import type { Node, Place } from "./syntax.ts";

export interface Mutator {
  readonly name: string;
  /** The texts that can stand where a node does. */
  of(place: Place, text: (of: Pick<Node, "start" | "end">) => string): readonly string[];
}

const TESTING = new Set(["IfStatement", "ConditionalExpression"]);
const OPPOSITES: Readonly<Record<string, string>> = {
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};
const BOUNDARIES: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const ARITHMETIC: Readonly<Record<string, string>> = { "+": "-", "-": "+", "*": "/", "/": "*", "%": "*" };
const SWAPPED: Readonly<Record<string, string>> = { min: "max", max: "min", some: "every", every: "some" };
const LEFT_OUT = new Set(["filter", "slice", "toReversed", "trim"]);
/** Longer lists are tables, of columns for one. */
const LONGEST_LIST = 6;

const isText = (node: Node): boolean =>
  node.type === "TemplateLiteral" ||
  (node.type === "Literal" && typeof node.value === "string") ||
  (node.type === "BinaryExpression" && (isText(node.left) || isText(node.right)));

/** A side of an operator. */
const side = (node: Node, text: (of: Node) => string): string =>
  /^(?:Identifier|Literal|(?:Member|Call|Unary|Array|Object)Expression)$/.test(node.type) ? text(node) : `(${text(node)})`;

const condition: Mutator = {
  name: "condition",
  of: ({ key, parent }) => (key === "test" && parent && TESTING.has(parent.node.type) ? ["true", "false"] : []),
};

const comparison: Mutator = {
  name: "comparison",
  of({ node }, text) {
    if (node.type !== "BinaryExpression") return [];
    const other = OPPOSITES[node.operator];
    return other === undefined ? [] : [`${side(node.left, text)} ${other} ${side(node.right, text)}`];
  },
};

const boundary: Mutator = {
  name: "boundary",
  of({ node }, text) {
    if (node.type !== "BinaryExpression") return [];
    const other = BOUNDARIES[node.operator];
    return other === undefined ? [] : [`${side(node.left, text)} ${other} ${side(node.right, text)}`];
  },
};

const arithmetic: Mutator = {
  name: "arithmetic",
  of({ node }, text) {
    if (node.type !== "BinaryExpression" || isText(node)) return [];
    const other = ARITHMETIC[node.operator];
    return other === undefined ? [] : [`${side(node.left, text)} ${other} ${side(node.right, text)}`];
  },
};

const logic: Mutator = {
  name: "logic",
  of({ node }, text) {
    if (node.type !== "LogicalExpression" || node.operator === "??") return [];
    return [`${side(node.left, text)} ${node.operator === "&&" ? "||" : "&&"} ${side(node.right, text)}`];
  },
};

const fallback: Mutator = {
  name: "fallback dropped",
  of: ({ node }, text) => (node.type === "LogicalExpression" && node.operator === "??" ? [text(node.left)] : []),
};

const negation: Mutator = {
  name: "negation dropped",
  of: ({ node }, text) => (node.type === "UnaryExpression" && node.operator === "!" ? [text(node.argument)] : []),
};

/** The text of a list without one of its parts. */
const without = (parts: readonly (Node | null)[], left: Node, text: (of: Node) => string): string =>
  parts
    .map((part) => (part === left ? null : part === null ? "" : text(part)))
    .filter((part) => part !== null)
    .join(", ");

const spread: Mutator = {
  name: "spread dropped",
  of({ node }, text) {
    if (node.type === "ArrayExpression")
      return node.elements.flatMap((each) => (each?.type === "SpreadElement" ? [`[${without(node.elements, each, text)}]`] : []));
    if (node.type === "ObjectExpression")
      return node.properties.flatMap((each) => (each.type === "SpreadElement" ? [`{ ${without(node.properties, each, text)} }`] : []));
    if (node.type !== "CallExpression") return [];
    return node.arguments.flatMap((each) =>
      each.type === "SpreadElement" ? [`${text(node.callee)}(${without(node.arguments, each, text)})`] : [],
    );
  },
};

const element: Mutator = {
  name: "element dropped",
  of({ node, parent }, text) {
    if (node.type !== "ArrayExpression" || node.elements.length < 2 || node.elements.length > LONGEST_LIST) return [];
    if (parent?.node.type === "NewExpression" || parent?.node.type === "TSAsExpression") return [];
    return node.elements.flatMap((each) =>
      each === null || each.type === "SpreadElement" ? [] : [`[${without(node.elements, each, text)}]`],
    );
  },
};

/** A write without its condition. */
const guard: Mutator = {
  name: "condition of a write dropped",
  of({ node }, text) {
    if (node.type !== "ObjectExpression") return [];
    return node.properties.flatMap((each) =>
      each.type === "Property" && each.key.type === "Identifier" && each.key.name === "when"
        ? [`{ ${without(node.properties, each, text)} }`]
        : [],
    );
  },
};

const step: Mutator = {
  name: "step left out",
  of({ node }, text) {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.property.type !== "Identifier") return [];
    return LEFT_OUT.has(node.callee.property.name) ? [text(node.callee.object)] : [];
  },
};

const direction: Mutator = {
  name: "sort direction",
  of({ node }, text) {
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.property.type !== "Identifier") return [];
    return /^(?:sort|toSorted)$/.test(node.callee.property.name) ? [`${text(node)}.reverse()`] : [];
  },
};

const end: Mutator = {
  name: "first or last",
  of({ node }, text) {
    if (node.type === "MemberExpression" && node.computed && node.property.type === "Literal" && node.property.value === 0)
      return [`(${text(node.object)}).at(-1)`];
    if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression" || node.callee.property.type !== "Identifier") return [];
    const { object, property } = node.callee;
    const args = node.arguments.map(text).join(", ");
    if (property.name === "at" && args === "-1") return [`${text(object)}.at(0)`];
    const other = SWAPPED[property.name];
    return other === undefined || node.callee.optional ? [] : [`${text(object)}.${other}(${args})`];
  },
};

const literal: Mutator = {
  name: "literal",
  of({ node, key, parent }) {
    if (node.type !== "Literal" || (parent?.node.type === "MemberExpression" && key === "property")) return [];
    // A comparison says less than nothing by any number below it.
    if (parent?.node.type === "UnaryExpression") return [];
    if (typeof node.value === "boolean") return [String(!node.value)];
    if (typeof node.value === "number")
      return [node.value < 2 ? String(1 - node.value) : node.value < 8 ? String(node.value + 1) : `${node.value * 10}`];
    if (typeof node.value === "bigint") return [`${node.value + 1n}n`];
    return typeof node.value === "string" && node.value !== "" && isTold(key, parent) ? ['""'] : [];
  },
};

/** A text that somebody is given; of those compared, listed and said in errors other changes speak. */
const isTold = (key: string, parent: Place | null): boolean =>
  (parent?.node.type === "CallExpression" && key === "arguments") || (parent?.node.type === "Property" && key === "value");

const template: Mutator = {
  name: "template",
  of: ({ node, parent }) =>
    node.type === "TemplateLiteral" && parent?.node.type !== "TaggedTemplateExpression" && parent?.node.type !== "NewExpression"
      ? ['""']
      : [],
};

const statement: Mutator = {
  name: "statement left out",
  of({ node }, text) {
    if (node.type === "ExpressionStatement") return /^(?:await )?super\(|\blog\.line\(/.test(text(node)) ? [] : [""];
    return /^(?:Throw|Continue|Break)Statement$/.test(node.type) || (node.type === "ReturnStatement" && node.argument === null) ? [""] : [];
  },
};

const unawaited: Mutator = {
  name: "not awaited",
  of: ({ node }, text) =>
    node.type === "ExpressionStatement" && node.expression.type === "AwaitExpression"
      ? [`void ${text(node.expression.argument)}.catch(() => undefined);`]
      : [],
};

const once: Mutator = {
  name: "loop ended after its first turn",
  of({ node, key, parent }, text) {
    if (key !== "body" || !parent || !/^(?:For|ForOf|While)Statement$/.test(parent.node.type)) return [];
    return [node.type === "BlockStatement" ? `${text(node).slice(0, -1)} break; }` : `${text(node)} break;`];
  },
};

const emptied: Mutator = {
  name: "function emptied",
  of: ({ node, key, parent }) =>
    node.type === "BlockStatement" && node.body.length > 1 && key === "body" && parent && /Function/.test(parent.node.type) ? ["{}"] : [],
};

export const MUTATORS: readonly Mutator[] = [
  condition,
  comparison,
  boundary,
  arithmetic,
  logic,
  fallback,
  negation,
  spread,
  element,
  guard,
  step,
  direction,
  end,
  literal,
  template,
  statement,
  unawaited,
  once,
  emptied,
];
