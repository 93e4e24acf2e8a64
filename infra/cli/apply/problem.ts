/** The document asks for something that cannot be: the message begins with the place in it, as `organizations[0].members[2].level`. */
export class DocumentProblem extends Error {
  override readonly name = "DocumentProblem";
  readonly path: Path;
  readonly sentence: string;
  constructor(path: Path, message: string) {
    super(`${pathText(path)}: ${message}`);
    this.path = path;
    this.sentence = message;
  }
}

/** Names and positions from the document's root to a value. */
export type Path = readonly PropertyKey[];

const pathText = (path: Path): string =>
  path.length === 0
    ? "the document"
    : path.map((part, at) => (typeof part === "number" ? `[${part}]` : `${at === 0 ? "" : "."}${String(part)}`)).join("");
