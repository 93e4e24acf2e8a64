/** Faults that are told of one event, and characters of each. */
const MOST_FAULTS = 20;
const MOST_CHARACTERS = 300;

/** What was wrong with an event while all else of it could be read: sentences, those beyond a bound as their number alone. */
export class Faults {
  readonly #sentences = new Set<string>();
  #beyond = 0;

  note(sentence: string): void {
    if (this.#sentences.size < MOST_FAULTS) this.#sentences.add(sentence.slice(0, MOST_CHARACTERS).toWellFormed());
    else this.#beyond += 1;
  }

  /** In the order in which they were found. */
  get sentences(): readonly string[] {
    return this.#beyond === 0 ? [...this.#sentences] : [...this.#sentences, `and ${this.#beyond} more`];
  }
}
