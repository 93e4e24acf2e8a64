import { byteOrder } from "../../lib/core/byte-order.ts";

/** Those whose name holds the text, in upper or lower case, in order of their names. */
export const namesHolding = <T extends { readonly name: string }>(all: readonly T[], text = ""): readonly T[] => {
  const wanted = text.toLowerCase();
  return all.filter(({ name }) => name.toLowerCase().includes(wanted)).toSorted((a, b) => byteOrder(a.name, b.name));
};
