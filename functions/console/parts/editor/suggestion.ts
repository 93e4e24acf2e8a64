/** Something that can stand where the cursor is. */
export interface Suggestion {
  readonly label: string;
  /** What it is, in a word or a type. */
  readonly detail?: string;
  /** What is written in its place, where that is not its label; a `|` says where the cursor goes. */
  readonly text?: string;
  /** Higher ones come first, from -99 to 99. */
  readonly rank?: number;
}

/** What may replace the text from a place up to the cursor. */
export interface Suggestions {
  readonly from: number;
  readonly options: readonly Suggestion[];
}

/** Suggests what may stand at a place of a text; nothing where nothing is known. */
export type Suggest = (text: string, at: number) => Promise<Suggestions | undefined>;

/** What is wrong at a place of the text: line from 1, column from 1. */
export interface Fault {
  readonly line: number;
  readonly column: number;
  readonly sentence: string;
}
