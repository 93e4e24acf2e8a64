import { QueryError } from "../../hogql/errors.ts";

/**
 * A CSS selector as a regular expression over the chain of elements that autocapture stores, innermost first:
 * `a.big.red:attr__href="/x"href="/x"nth-child="1"text="Go";div:…`. Tags, ids, classes, attributes, `:nth-child(n)`, `:nth-of-type(n)`,
 * descendants and children are known; anything else throws `QueryError`.
 */
export const selectorPattern = (selector: string): string => {
  if (selector.length > MAX_SELECTOR) throw new QueryError("too_complex", `A selector has at most ${MAX_SELECTOR} characters.`);
  const steps = parseSteps(selector.trim());
  const [innermost, ...outer] = steps.reverse();
  if (innermost === undefined) throw unknownSelector(selector);
  const rest = outer.map(({ element }, index) => {
    const direct = (index === 0 ? innermost : outer[index - 1])?.child === true;
    return `${direct ? "" : ANY_ELEMENTS}${element}`;
  });
  return `(?:^|;)${[innermost.element, ...rest].join(";")}(?:;|$)`;
};

/** Longest selector, in characters: its pattern is some ten times as long. */
const MAX_SELECTOR = 1_000;

interface Step {
  readonly element: string;
  /** It must be a child of the step before, not only a descendant. */
  readonly child: boolean;
}

/** The rest of one element: anything but the semicolon between elements, which may stand within quotes. */
const REST = '(?:[^;"]|"(?:[^"\\\\]|\\\\.)*")*';
const ANY_ELEMENTS = `(?:${REST};)*`;
const TAG = "[a-zA-Z][-a-zA-Z0-9_]*";
const OTHER_CLASSES = '(?:\\.[^.:;"]+)*?';

const COMPOUND =
  /^(?:(\*|[a-zA-Z][-\w]*)|#([-\w]+)|\.([-\w]+)|\[([-\w]+)(?:=(?:"([^"]*)"|'([^']*)'|([-\w]+)))?\]|:(nth-child|nth-of-type)\((\d+)\))/;

const parseSteps = (selector: string): Step[] => {
  const steps: Step[] = [];
  let rest = selector;
  let child = false;
  while (rest !== "") {
    const { element, left } = parseElement(rest, selector);
    steps.push({ element, child });
    const combinator = /^\s*(>?)\s*/.exec(left);
    child = combinator?.[1] === ">";
    rest = left.slice(combinator?.[0].length ?? 0);
    if (rest === "" && child) throw unknownSelector(selector);
  }
  return steps;
};

const parseElement = (text: string, selector: string): { readonly element: string; readonly left: string } => {
  let tag = TAG;
  const classes: string[] = [];
  const attributes: string[] = [];
  let left = text;
  for (let match = COMPOUND.exec(left); match !== null; match = COMPOUND.exec(left)) {
    const [all, name, id, className, attribute, double, single, bare, position, number] = match;
    if (name !== undefined && name !== "*") tag = literal(name);
    if (id !== undefined) attributes.push(`attr_id="${literal(id)}"`);
    if (className !== undefined) classes.push(literal(className));
    if (attribute !== undefined) attributes.push(attributePattern(attribute, double ?? single ?? bare));
    if (position !== undefined) attributes.push(`${position}="${number ?? ""}"`);
    left = left.slice(all.length);
  }
  if (left.length === text.length) throw unknownSelector(selector);
  const inOrder = [...classes].sort().map((name) => `${OTHER_CLASSES}\\.${name}`);
  const attributePart = attributes.length === 0 ? `(?::${REST})?` : `:${REST}${[...attributes].sort().join(REST)}${REST}`;
  return { element: `${tag}${inOrder.join("")}${OTHER_CLASSES}${attributePart}`, left };
};

/** Attributes are stored with a prefix, ids without; `href` and `text` also stand by themselves. */
const attributePattern = (name: string, value: string | undefined): string => {
  const key = name === "id" ? "attr_id" : name === "text" ? "text" : `attr__${literal(name)}`;
  return `${key}="${value === undefined ? '(?:[^"\\\\]|\\\\.)*' : literal(value.replaceAll('"', '\\"'))}"`;
};

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");

const unknownSelector = (selector: string): QueryError =>
  new QueryError(
    "invalid_input",
    `The selector \`${selector.slice(0, 60)}\` is not understood: use tags, #ids, .classes, [attributes], :nth-child(n), spaces and >.`,
  );
