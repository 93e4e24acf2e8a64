/** A short text to some people. */
export interface Letter {
  /** Addresses, at most `MOST_RECIPIENTS`. They see each other. */
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Sends letters; rejects where it is not sure that one was taken. */
export interface Mail {
  send(letter: Letter): Promise<void>;
}

/** The most that the mail service takes for one letter. */
export const MOST_RECIPIENTS = 50;

/** A name that somebody chose, as a letter may hold it: it must not add lines, or a header. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();
