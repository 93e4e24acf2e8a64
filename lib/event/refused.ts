/** A request that capture does not take: the status and the one line of plain text that its caller gets. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: 400 | 401 | 413 | 503;
  /** What the log says besides, where the text is what SDKs know and tells a person nothing. */
  readonly hint: string | undefined;
  constructor(status: 400 | 401 | 413 | 503, text: string, hint?: string) {
    super(text);
    this.status = status;
    this.hint = hint;
  }
}

/** A 413 makes posthog-node halve its batch and try again; any other status in the 400s would lose the events. */
export const tooLarge = (what: string): Refused => new Refused(413, `maximum event size exceeded: ${what}`);
