import { BedrockRuntimeClient, ConverseCommand, type ConverseCommandOutput } from "@aws-sdk/client-bedrock-runtime";
import { type Conversation, type Model, ModelUnreachable } from "../../ports/model.ts";

/** Longest answer: a query of the longest text that may be saved would not fit, and nobody writes one. */
const MAX_TOKENS = 8_000;
const ATTEMPTS = 2;
const CONNECT_TIMEOUT_MS = 2_000;

export interface ModelPlace {
  /** The id of a model of Amazon Bedrock, or of an inference profile. */
  readonly id: string;
  /** Where it is asked, if not in the region of the environment; credentials come from there, too. */
  readonly url?: string;
}

/** A model of Amazon Bedrock, asked through its Converse interface, which is the same for models of every maker. */
export const openModel = ({ id, url }: ModelPlace): Omit<Model, "isConfigured"> => ({
  async answer({ system, turns, timeMs }: Conversation) {
    const client = new BedrockRuntimeClient({
      maxAttempts: ATTEMPTS,
      requestHandler: { requestTimeout: timeMs, sessionTimeout: timeMs + CONNECT_TIMEOUT_MS },
      ...(url !== undefined && { endpoint: url }),
    });
    const messages = turns.map(({ role, text }) => ({ role, content: [{ text }] }));
    const inferenceConfig = { maxTokens: MAX_TOKENS, temperature: 0 };
    try {
      const command = new ConverseCommand({ modelId: id, system: [{ text: system }], messages, inferenceConfig });
      return answerIn(await client.send(command, { abortSignal: AbortSignal.timeout(timeMs) }));
    } catch (thrown) {
      throw isPassing(thrown) ? new ModelUnreachable("the model did not answer", { cause: thrown }) : thrown;
    } finally {
      client.destroy();
    }
  },
});

const answerIn = ({ output, stopReason }: ConverseCommandOutput) => ({
  text: (output?.message?.content ?? []).map(({ text }) => text ?? "").join(""),
  isWhole: stopReason === "end_turn" || stopReason === "stop_sequence",
});

/** Faults of the moment: no connection, no time, too much to do. What the service says about our request or our rights stays so. */
const isPassing = (thrown: unknown): boolean => {
  const { $metadata } = Object(thrown) as { readonly $metadata?: { readonly httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  return status === undefined || status === 408 || status === 429 || status >= 500;
};
