import { describe, expect, it } from "vitest";
import { automaticFingerprint } from "../../lib/error-tracking/grouping/fingerprint.ts";
import { parseEvent } from "../../lib/error-tracking/parsing/parsed-event.ts";
import { CORPUS } from "./corpus.ts";
import type { Stack } from "./stack.ts";

const fingerprint = ({ properties }: Stack, version: 1 | 2): string =>
  automaticFingerprint(parseEvent({ ...properties }, (index) => `exception-${index}`).exceptions, { version }).value;

/** The stacks that fell together, by what they were told as. */
const together = (stacks: readonly Stack[], key: (stack: Stack) => string): readonly (readonly string[])[] =>
  [...Map.groupBy(stacks, key).values()].map((group) => group.map(({ told, issue }) => `${issue}: ${told}`));

it("has at least 120 stacks", () => {
  expect(Object.values(CORPUS).flat().length).toBeGreaterThanOrEqual(120);
});

describe.each(Object.entries(CORPUS))("stacks of %s", (_, stacks) => {
  it("fall into their issues, and into no others", () => {
    expect(together(stacks, (stack) => fingerprint(stack, 2))).toEqual(together(stacks, ({ issue }) => issue));
  });
  it("fall where they fell before in a project that keeps the first version", () => {
    expect(together(stacks, (stack) => fingerprint(stack, 1))).toEqual(together(stacks, ({ issue, before = issue }) => before));
  });
  it("have the same fingerprint by both versions where the first one was right", () => {
    const kept = stacks.filter(({ before }) => before === undefined);
    for (const stack of kept) expect.soft([stack.told, fingerprint(stack, 2)]).toEqual([stack.told, fingerprint(stack, 1)]);
  });
});
