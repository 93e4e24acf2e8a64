import { describe, expect, it } from "vitest";
import { readExceptions } from "./exception.ts";
import { Faults } from "./faults.ts";
import { cutToBytes } from "./fields.ts";
import { parseEvent } from "./parsed-event.ts";
import { inOneOrder } from "./wire-order.ts";

const FRAME = { platform: "python", filename: "a.py", function: "f" };
const withFrame = (frame: unknown) => [{ type: "E", stacktrace: { type: "raw", frames: [frame] } }];
const parse = (properties: object) => parseEvent({ ...properties }, (index) => `id-${index}`);

/** What could be read of a list, and what was wrong. */
const reading = (list: unknown) => {
  const faults = new Faults();
  return { exceptions: readExceptions({ $exception_list: list }, faults), faults };
};

describe("reading a list of exceptions", () => {
  it.each([
    ["nothing", undefined, "$exception_list is missing"],
    ["a text", "x", "$exception_list must be a list"],
    ["an empty list", [], "$exception_list is empty"],
    ["a list of texts", ["x", null, []], "$exception_list has no exception"],
  ])("refuses %s", (_, list, message) => {
    expect(() => reading(list)).toThrow(message);
  });

  it.each([
    ["no type", [{ value: "x" }], { type: "Error", value: "x" }, "$exception_list[0] has no type"],
    ["a text before it", ["x", { type: "E" }], { type: "E" }, "$exception_list[0] must be an object"],
    ["a number as value", [{ type: "E", value: 5 }], { value: "" }, "$exception_list[0]: value must be a string"],
    [
      "a text as thread",
      [{ type: "E", thread_id: "main" }],
      { threadId: undefined },
      "$exception_list[0]: thread_id must be a whole number",
    ],
    ["a list as mechanism", [{ type: "E", mechanism: [] }], { mechanism: null }, "$exception_list[0].mechanism must be an object"],
    [
      "a text as handled",
      [{ type: "E", mechanism: { handled: "no", type: "generic" } }],
      { mechanism: { type: "generic" } },
      "$exception_list[0].mechanism: handled must be true or false",
    ],
    [
      "an unknown kind of stack",
      [{ type: "E", stacktrace: { type: "odd", frames: [FRAME] } }],
      { stack: { type: "raw", frames: [expect.objectContaining({ function: "f" })] } },
      "$exception_list[0].stacktrace: type must be raw or resolved",
    ],
    [
      "a stack without frames",
      [{ type: "E", stacktrace: { type: "raw" } }],
      { stack: null },
      "$exception_list[0].stacktrace: frames must be a list",
    ],
    [
      "an unknown platform",
      withFrame({ ...FRAME, platform: "cobol" }),
      { stack: { frames: [expect.objectContaining({ platform: "custom", lang: "cobol" })] } },
      "$exception_list[0].stacktrace.frames[0]: platform is missing or unknown",
    ],
    [
      "a line before the first",
      withFrame({ ...FRAME, lineno: -2 }),
      { stack: { frames: [expect.objectContaining({ function: "f", lineno: undefined })] } },
      "$exception_list[0].stacktrace.frames[0]: lineno must be a line or column number",
    ],
    [
      "no frame",
      withFrame("at f (a.py:1)"),
      { stack: { frames: [expect.objectContaining({ unread: '"at f (a.py:1)"' })] } },
      "$exception_list[0].stacktrace.frames[0] must be an object",
    ],
  ])("reads all but what is wrong, and says it: %s", (_, list, read, message) => {
    const { exceptions, faults } = reading(list);
    expect(exceptions).toMatchObject([read]);
    expect(faults.sentences).toEqual([message]);
  });

  it("tells twenty faults, and how many there are beyond", () => {
    const { faults } = reading(Array.from({ length: 1_000 }, () => ({ value: "x" })));
    expect(faults.sentences).toHaveLength(21);
    expect(faults.sentences.at(-1)).toBe("and 980 more");
  });

  it.each(["$exception_fingerprint", "$issue_name", "$issue_description"])(
    "leaves out a %s that is no text, and takes null for none",
    (key) => {
      for (const odd of [5, true, ["x"], { toString: 1 }, null]) {
        const { clientFingerprint, issueName, issueDescription, faults } = parse({ $exception_list: [{ type: "E" }], [key]: odd });
        expect([clientFingerprint, issueName, issueDescription]).toEqual([null, null, null]);
        expect(faults).toEqual(odd === null ? [] : [`the event: ${key} must be a string`]);
      }
    },
  );

  it("never calls what a client's values call their methods", () => {
    const trap = { toString: "no function", valueOf: 1, toJSON: null, length: 9 };
    expect(reading([{ type: trap }]).exceptions).toMatchObject([{ type: "Error" }]);
    const { properties } = parse({ $exception_list: [{ type: "E" }], odd: trap, $lib_version: trap, $lib: trap, $release_id: trap });
    expect(properties.odd).toBe(trap);
  });

  it("cuts types at 255 bytes and values at 10,000, between characters", () => {
    const [exception] = parse({ $exception_list: [{ type: "ä".repeat(200), value: "€".repeat(5_000) }] }).exceptions;
    expect(exception?.type).toBe(`${"ä".repeat(126)}...`);
    expect(Buffer.byteLength(exception?.value ?? "")).toBeLessThanOrEqual(10_000);
    expect(exception?.value).toMatch(/^€+\.\.\.$/);
    expect(cutToBytes("abc", 3)).toBe("abc");
  });

  it("replaces what no store takes", () => {
    expect(parse({ $exception_list: [{ type: "a\0b" }] }).exceptions[0]?.type).toBe("a\uFFFDb");
  });

  it("drops what only we may set, and takes a severity only where it is one", () => {
    const event = parse({ $exception_list: [{ type: "E" }], $exception_issue_id: "x", $exception_types: [1], $issue_severity: "extreme" });
    expect(Object.keys(event.properties)).toEqual(["$exception_list", "$issue_severity"]);
    expect(event.issueSeverity).toBeNull();
  });
});

describe("the order of a chain and its frames", () => {
  const list = [{ type: "A", stacktrace: { type: "raw", frames: [FRAME, { ...FRAME, function: "g" }] } }, { type: "B" }];
  const order = (lib: unknown, version?: unknown) =>
    inOneOrder(reading(list).exceptions, lib, version).map(({ type, stack }) => [
      type,
      stack?.type === "raw" ? stack.frames.map((frame) => frame.function) : null,
    ]);
  const asSent = [
    ["A", ["f", "g"]],
    ["B", null],
  ];
  it.each([
    ["web", undefined, asSent],
    [undefined, undefined, asSent],
    [
      "posthog-java",
      "99.0.0",
      [
        ["A", ["g", "f"]],
        ["B", null],
      ],
    ],
    ["posthog-python", "9.9.9", asSent.toReversed()],
    [
      "posthog-go",
      "1.18.9",
      [
        ["A", ["g", "f"]],
        ["B", null],
      ],
    ],
    ["posthog-go", "v1.19", asSent],
    ["posthog-go", "1.19.0-beta.1", asSent],
    ["posthog-go", "2", asSent],
    [
      "posthog-go",
      "unknown",
      [
        ["A", ["g", "f"]],
        ["B", null],
      ],
    ],
    ["posthog-rs", "0.19.0", asSent],
    [
      "posthog-php",
      { major: 4 },
      [
        ["A", ["g", "f"]],
        ["B", null],
      ],
    ],
  ])("of %s %s", (lib, version, expected) => {
    expect(order(lib, version)).toEqual(expected);
  });
});
