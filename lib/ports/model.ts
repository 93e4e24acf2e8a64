/** One side's words of a conversation; the first are the asker's. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
}

export interface Conversation {
  /** The system prompt. */
  readonly system: string;
  readonly turns: readonly Turn[];
  /** An answer that takes longer is none. */
  readonly timeMs: number;
}

export interface ModelAnswer {
  readonly text: string;
  /** False where the model was stopped: by its limit of words, or by what watches over what it says. */
  readonly isWhole: boolean;
}

/** A language model. */
export interface Model {
  /** A deployment may have none. */
  readonly isConfigured: boolean;
  /** Throws `ModelUnreachable` where asking again later may help. */
  answer(conversation: Conversation): Promise<ModelAnswer>;
}

/** The model did not answer: it is not there, has too much to do, or takes too long. */
export class ModelUnreachable extends Error {
  override readonly name = "ModelUnreachable";
}
