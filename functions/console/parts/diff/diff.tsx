import { type Change, diffLines, diffWordsWithSpace } from "diff";

/** A part of a line; `changed` where it is not in the other text. */
interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

interface Line {
  readonly sign: "+" | "−" | " ";
  readonly pieces: readonly Piece[];
}

interface DiffProps {
  readonly before: string;
  readonly after: string;
  /** What is compared, for readers of screens. */
  readonly label: string;
}

/** Two texts as one: lines that went, came and stayed. */
export const Diff = ({ before, after, label }: DiffProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be longer than its place, and then is scrolled by keys.
  // biome-ignore lint/a11y/useSemanticElements: a text is no set of fields.
  <div class="diff" role="group" aria-label={label} tabIndex={0}>
    {changedLines(before, after).map(({ sign, pieces }, place) => (
      <div key={place} class={CLASSES[sign]}>
        <span aria-hidden="true">{sign}</span>
        {WORDS[sign] && <span class="hidden">{WORDS[sign]}</span>}
        <code>{pieces.map(({ text, changed }) => (changed ? <mark>{text}</mark> : text))}</code>
      </div>
    ))}
  </div>
);

const CLASSES = { "+": "came", "−": "went", " ": undefined } as const;
const WORDS = { "+": "Added: ", "−": "Removed: ", " ": undefined } as const;

/** The lines of both texts. Where some were replaced, what differs within them is marked, too. */
export const changedLines = (before: string, after: string): readonly Line[] => {
  const changes = diffLines(ended(before), ended(after));
  return changes.flatMap((change, place) => {
    const next = changes[place + 1];
    if (change.removed && next?.added) return replaced(change, next);
    if (change.added && changes[place - 1]?.removed) return [];
    return linesFrom(change.removed ? "−" : change.added ? "+" : " ", [{ text: change.value, changed: false }]);
  });
};

/** A last line without an end would differ from the same line with one. */
const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

const replaced = ({ value: before }: Change, { value: after }: Change): readonly Line[] => {
  const words = diffWordsWithSpace(before, after);
  const side = (left: boolean): readonly Piece[] =>
    words
      .filter(({ added, removed }) => !(left ? added : removed))
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return [...linesFrom("−", side(true)), ...linesFrom("+", side(false))];
};

const linesFrom = (sign: Line["sign"], pieces: readonly Piece[]): readonly Line[] => {
  const lines: Piece[][] = [[]];
  for (const { text, changed } of pieces) {
    text.split("\n").forEach((part, place) => {
      if (place > 0) lines.push([]);
      if (part !== "") lines.at(-1)?.push({ text: part, changed });
    });
  }
  // Every text ends with the end of a line, behind which there is none.
  return lines.slice(0, -1).map((line) => ({ sign, pieces: line }));
};
