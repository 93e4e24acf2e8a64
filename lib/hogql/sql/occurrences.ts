import type { Sql } from "./fragment.ts";

/** Whether a node stands at least so many times in another one. What is left for later is not looked into. */
export const occursOften = (within: Sql, wanted: Sql, times: number): boolean => {
  let found = 0;
  const left: Sql[] = [within];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node === wanted) found += 1;
    if (found >= times) return true;
    if (node === wanted || node.size < wanted.size) continue;
    if (node.kind === "template" || node.kind === "list") left.push(...node.parts);
    if (node.kind === "lambda") left.push(node.body);
  }
  return false;
};
