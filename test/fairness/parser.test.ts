import { expect, it } from "vitest";
import { parseInThread } from "../../lib/hogql/syntax/parser-thread.ts";

const PROJECTS = Array.from({ length: 10 }, (_, at) => at + 1);
const HOSTILE = 1;
const LONG_ONES = 6;
const LONG = `[${Array.from({ length: 150 }, (_, at) => `concat(event, '${at}')`).join(", ")}]`;

it("nine projects' texts are parsed beside the tenth's: each waits for no more than the one that is being parsed", async () => {
  const answered: number[] = [];
  const ask = async (project: number, text: string): Promise<void> => {
    await parseInThread([{ kind: "expression", text }], project);
    answered.push(project);
  };
  const hostile = Array.from({ length: LONG_ONES }, () => ask(HOSTILE, LONG));
  const others = PROJECTS.filter((project) => project !== HOSTILE).map((project) => ask(project, "1 + 1"));
  await Promise.all([...hostile, ...others]);
  // The hostile project's first text has one thread, and the others have both as soon as they used less.
  const last = answered.findLastIndex((project) => project !== HOSTILE);
  expect(answered.slice(0, last).filter((project) => project === HOSTILE).length).toBeLessThanOrEqual(1);
  expect(answered).toHaveLength(LONG_ONES + others.length);
});
