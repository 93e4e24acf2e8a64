import type { Target } from "./target.ts";

/** How the program is started, as its help says it. */
export const ADMIN = "npm run --silent admin --";

/** One command of the program. Its program is read only when it is asked for. */
export type Command = Described & ({ readonly load: () => Promise<Run> } | { readonly loadAt: () => Promise<RunAt> });

/** What is said of a command before it is run. */
interface Described {
  /** As typed: `keys revoke`. */
  readonly name: string;
  readonly summary: string;
  /** The operands after the name, for the help: `FILE|-`. */
  readonly takes: string;
  readonly example: string;
  /** Flags of its own, all of which take a value, with what they mean. */
  readonly flags: Readonly<Record<string, string>>;
  /** Flags of its own that take no value. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Flags of its own that take a value and may be given several times. */
  readonly lists?: Readonly<Record<string, string>>;
  /** How many words may follow the name: least and most. */
  readonly words: readonly [number, number];
  /** Works on a directory in which there is nothing yet; the others only read and change what is there. */
  readonly makes?: (switches: ReadonlySet<string>) => boolean;
}

export type Run = (target: Target, given: CommandArguments) => Promise<Answer>;

/** The program of a command that opens what it needs by itself: a platform that cannot be opened is no reason for it to fail. */
export type RunAt = (place: Place, given: CommandArguments) => Promise<Answer>;

/** Where the platform is that a command works on. */
export type Place = { readonly kind: "directory"; readonly dataDir: string } | { readonly kind: "stack"; readonly stack: string };

export interface CommandArguments {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | undefined>>;
  /** The switches that were given. */
  readonly switches: ReadonlySet<string>;
  /** The values of flags that may be given several times; absent where a command has none. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
}

/** The result of a command: as JSON for programs, as lines for people. */
export interface Answer {
  /** Undefined where the command has written to standard output what it was asked for. */
  readonly json: unknown;
  readonly lines: readonly string[];
  /** How the program ends where the command did what it was asked and not all is well: 1, or 2 where it is done but for what it lists. */
  readonly exitCode?: 1 | 2;
}

/** Rows as lines, each column as wide as its widest cell. */
export const columns = (head: readonly string[], cells: readonly (readonly string[])[]): readonly string[] => {
  const rows = cells.map((row) => row.map(printable));
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] ?? "").length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};

/** Names and values come from anybody, and none of them may move the cursor of a terminal or turn its text around. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
