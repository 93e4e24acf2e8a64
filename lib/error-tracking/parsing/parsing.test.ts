import { describe, expect, it } from "vitest";
import { readExceptions } from "./exception.ts";
import { cutToBytes } from "./fields.ts";
import { parseEvent } from "./parsed-event.ts";
import { inOneOrder } from "./wire-order.ts";

const FRAME = { platform: "python", filename: "a.py", function: "f" };
const withFrame = (frame: unknown) => [{ type: "E", stacktrace: { type: "raw", frames: [frame] } }];
const parse = (properties: object) => parseEvent({ ...properties }, (index) => `id-${index}`);

describe("reading a list of exceptions", () => {
  it.each([
    ["nothing", undefined, "$exception_list is missing"],
    ["a text", "x", "$exception_list must be a list"],
    ["an empty list", [], "$exception_list is empty"],
    ["a list of texts", ["x"], "$exception_list[0] must be an object"],
    ["no type", [{ value: "x" }], "$exception_list[0] has no type"],
    ["a number as value", [{ type: "E", value: 5 }], "$exception_list[0]: value must be a string"],
    ["a list as mechanism", [{ type: "E", mechanism: [] }], "$exception_list[0].mechanism must be an object"],
    ["a text as handled", [{ type: "E", mechanism: { handled: "no" } }], "$exception_list[0].mechanism: handled must be true or false"],
    [
      "an unknown kind of stack",
      [{ type: "E", stacktrace: { type: "odd", frames: [] } }],
      "$exception_list[0].stacktrace: type must be raw or resolved",
    ],
    ["a stack without frames", [{ type: "E", stacktrace: { type: "raw" } }], "$exception_list[0].stacktrace: frames must be a list"],
    [
      "an unknown platform",
      withFrame({ ...FRAME, platform: "cobol" }),
      "$exception_list[0].stacktrace.frames[0]: platform is missing or unknown",
    ],
    [
      "a line before the first",
      withFrame({ ...FRAME, lineno: -1 }),
      "$exception_list[0].stacktrace.frames[0]: lineno must be a line or column number",
    ],
    [
      "a custom frame that does not say whether it is resolved",
      withFrame({ platform: "custom", function: "f", lang: "x" }),
      "$exception_list[0].stacktrace.frames[0] has no resolved",
    ],
  ])("refuses %s", (_, list, message) => {
    expect(() => readExceptions({ $exception_list: list })).toThrow(message);
  });

  it.each(["$exception_fingerprint", "$issue_name", "$issue_description"])(
    "refuses a %s that is no text, and takes null for none",
    (key) => {
      for (const odd of [5, true, ["x"], { toString: 1 }]) {
        expect(() => parse({ $exception_list: [{ type: "E" }], [key]: odd })).toThrow(`the event: ${key} must be a string`);
      }
      const { clientFingerprint, issueName, issueDescription } = parse({ $exception_list: [{ type: "E" }], [key]: null });
      expect([clientFingerprint, issueName, issueDescription]).toEqual([null, null, null]);
    },
  );

  it("never calls what a client's values call their methods", () => {
    const trap = { toString: "no function", valueOf: 1, toJSON: null, length: 9 };
    expect(() => readExceptions({ $exception_list: [{ type: trap }] })).toThrow("type must be a string");
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
    inOneOrder(readExceptions({ $exception_list: list }), lib, version).map(({ type, stack }) => [
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
