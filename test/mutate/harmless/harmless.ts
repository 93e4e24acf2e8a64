/** A mutant that changes nothing anybody can notice, found by its file, the line as it is written, and the mutator. */
export interface Harmless {
  readonly file: string;
  readonly line: string;
  readonly mutator: string;
  /** The line with the mutant, where the mutator makes several of it. */
  readonly becomes?: string;
  readonly why: string;
}
