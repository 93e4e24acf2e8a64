import * as z from "zod";
import type { ModelAnswer } from "../../ports/model.ts";

const Answer = z.object({ query: z.string().min(1).nullable(), explanation: z.string() });

/** What a model proposes; undefined where its words are not what it was asked for, or were cut off. Models like to put JSON in a fence. */
export const answerIn = ({ text, isWhole }: ModelAnswer): z.output<typeof Answer> | undefined => {
  const [from, to] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (!isWhole || from === -1 || to < from) return undefined;
  try {
    return Answer.safeParse(JSON.parse(text.slice(from, to + 1))).data;
  } catch {
    return undefined;
  }
};
