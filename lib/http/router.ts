/** A declared path that a request's path matches, with the decoded values of its holes. */
export interface Match<T> {
  readonly value: T;
  readonly params: Readonly<Record<string, string>>;
}

interface Node<T> {
  readonly literals: Map<string, Node<T>>;
  hole: Node<T> | undefined;
  end: { readonly value: T; readonly names: readonly string[] } | undefined;
  /** Takes all that is left. */
  rest: { readonly value: T; readonly names: readonly string[] } | undefined;
}

/**
 * Finds the most specific declared path: segment by segment from the left, a literal beats a hole and a hole beats `{…+}`.
 * The final slash is optional, an escape that does not decode matches nothing, and a hole is never empty.
 */
export const router = <T>(declared: readonly { readonly path: string; readonly value: T }[]): ((path: string) => Match<T> | undefined) => {
  const root = node<T>();
  for (const { path, value } of declared) insert(root, segments(path), value);
  return (path) => {
    const parts = decoded(segments(path));
    if (parts === undefined) return undefined;
    const found = find(root, parts, 0, []);
    return found && { value: found.value, params: Object.fromEntries(found.names.map((name, index) => [name, found.values[index] ?? ""])) };
  };
};

const HOLE = /^\{([^}+]+)(\+?)\}$/;

const node = <T>(): Node<T> => ({ literals: new Map(), hole: undefined, end: undefined, rest: undefined });

/** The parts between slashes, without the first slash and one last one. */
const segments = (path: string): readonly string[] => {
  const inner = path.slice(path.startsWith("/") ? 1 : 0, path.length > 1 && path.endsWith("/") ? -1 : undefined);
  return inner === "" ? [] : inner.split("/");
};

const decoded = (parts: readonly string[]): readonly string[] | undefined => {
  try {
    return parts.map((part) => (part.includes("%") ? decodeURIComponent(part) : part));
  } catch {
    return undefined;
  }
};

const insert = <T>(root: Node<T>, parts: readonly string[], value: T): void => {
  let at = root;
  const names: string[] = [];
  for (const part of parts) {
    const hole = HOLE.exec(part);
    if (hole) names.push(hole[1] ?? "");
    if (hole?.[2] === "+") {
      at.rest = { value, names };
      return;
    }
    at = hole ? holeNode(at) : entry(at.literals, part);
  }
  at.end = { value, names };
};

const holeNode = <T>(at: Node<T>): Node<T> => {
  at.hole = at.hole ?? node();
  return at.hole;
};

const entry = <T>(literals: Map<string, Node<T>>, part: string): Node<T> => {
  const known = literals.get(part);
  if (known) return known;
  const fresh = node<T>();
  literals.set(part, fresh);
  return fresh;
};

interface RouteMatch<T> {
  readonly value: T;
  readonly names: readonly string[];
  readonly values: readonly string[];
}

const find = <T>(at: Node<T>, parts: readonly string[], index: number, values: readonly string[]): RouteMatch<T> | undefined => {
  const part = parts[index];
  if (part === undefined) return at.end && { ...at.end, values };
  const literal = at.literals.get(part);
  const byLiteral = literal && find(literal, parts, index + 1, values);
  if (byLiteral) return byLiteral;
  const byHole = at.hole && part !== "" ? find(at.hole, parts, index + 1, [...values, part]) : undefined;
  if (byHole) return byHole;
  return at.rest && { ...at.rest, values: [...values, parts.slice(index).join("/")] };
};
