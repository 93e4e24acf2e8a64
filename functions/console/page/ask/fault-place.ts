import type { Fault } from "../../parts/editor/suggestion.ts";

/** The place that a sentence of the API names as `(line 2, column 8)`, and the sentence without the excerpt below it. */
export const faultPlace = (sentence: string): Fault | undefined => {
  const [, said = "", line, column] = /^(.*) \(line (\d+), column (\d+)\)/s.exec(sentence) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column), sentence: said };
};
