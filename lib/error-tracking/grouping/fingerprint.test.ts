import { describe, expect, it } from "vitest";
import { parseEvent } from "../parsing/parsed-event.ts";
import { automaticFingerprint, customFingerprint, manualFingerprint } from "./fingerprint.ts";

const parsed = (list: readonly object[], more: object = {}) =>
  parseEvent({ $exception_list: list, ...more }, (index) => `exception-${index}`);
const fingerprint = (list: readonly object[], more: object = {}, version: 1 | 2 = 1) =>
  automaticFingerprint(parsed(list, more).exceptions, { version });
const raw = (...frames: readonly object[]) => ({ type: "raw", frames });

const CHECKOUT = { platform: "python", filename: "app/views.py", module: "app.views", function: "checkout", lineno: 42, in_app: true };

describe.each([1, 2] as const)("the automatic fingerprint of version %s, where the first was right,", (version) => {
  it("is of type and message where there is no stack", () => {
    const { value, record } = fingerprint(
      [{ type: "TypeError", value: "Cannot read properties of undefined (reading 'map')" }],
      {},
      version,
    );
    expect(value).toBe(
      "b60c4ee338dd967b8f2c26e15285b04f0418ba8d39554a985020bc515100307705d70e19c4c132e6ca883c6ecddaef65d59a04bd8ff808781226ccf7ae6a5ac3",
    );
    expect(record).toEqual([{ type: "exception", id: "exception-0", pieces: ["Exception Type", "Exception Message"] }]);
  });

  it("is of type, file, module and function of a frame", () => {
    const { value, record } = fingerprint([{ type: "ValueError", value: "cart is empty", stacktrace: raw(CHECKOUT) }], {}, version);
    expect(value).toBe(
      "f9ea5193e67255f1ad572dcd8642e462e1d432e2733852847c0ba395a3e388e7559ae925f5346761a4eb6cb46af65551eb0028b04ed8c3dc57048130504cac55",
    );
    expect(record[1]).toMatchObject({ type: "frame", pieces: ["Source file name", "Module name", "Resolved function name"] });
  });

  it("is of the place of a minified frame", () => {
    const frame = { platform: "web:javascript", function: "t", filename: "https://shop.test/static/app.min.js", lineno: 1, colno: 4321 };
    const { value, record } = fingerprint([{ type: "Error", value: "x", stacktrace: raw(frame) }], {}, version);
    expect(value).toBe(
      "88cf2f8d178bf054d96130e6816ea8deee31ef1541b3957dbf6e72776be627b651e1ad1f44c3d170bff22b80e94a082ea1e8b7bffd8104e23e4ec26845980396",
    );
    expect(record[1]).toMatchObject({
      pieces: ["Source file name", "Mangled function name", "Line number", "Column number", "Language"],
    });
  });

  it("leaves the message out as soon as there is a stack, even an empty one", () => {
    const of = (value: string) => fingerprint([{ type: "Error", value, stacktrace: raw() }], {}, version).value;
    expect(of("a")).toBe(of("b"));
    expect(of("a")).not.toBe(fingerprint([{ type: "Error", value: "a" }], {}, version).value);
  });

  it("is named by the first version", () => {
    expect(fingerprint([{ type: "Error", value: "a" }], {}, version).version).toBe("v1");
  });
});

describe("the automatic fingerprint", () => {
  it("is of the first frame only where none is the client's own", () => {
    const library = (name: string) => ({ ...CHECKOUT, function: name, in_app: false });
    const of = (...names: readonly string[]) => fingerprint([{ type: "Error", stacktrace: raw(...names.map(library)) }]).value;
    expect(of("a", "b")).toBe(of("a", "c"));
    expect(of("a", "b")).not.toBe(of("b", "a"));
  });

  it("leaves out frames that are not resolved where others are", () => {
    const minified = { platform: "web:javascript", function: "t", filename: "https://a.test/x.js", lineno: 1, colno: 999 };
    const { record } = fingerprint([{ type: "Error", stacktrace: raw(CHECKOUT, minified) }]);
    expect(record.filter(({ type }) => type === "frame")).toHaveLength(1);
  });

  it("is of every exception of a chain, in the order of the platform that reverses it", () => {
    const chain = [
      { type: "Outer", value: "o" },
      { type: "Root", value: "r" },
    ];
    expect(fingerprint(chain, { $lib: "posthog-python" }).value).toBe(fingerprint(chain.toReversed()).value);
  });
});

describe("a project that was switched", () => {
  const list = [{ type: "Error", value: "order 17 is late" }];
  const of = (grouping: Parameters<typeof automaticFingerprint>[1], exceptions = list) =>
    automaticFingerprint(parsed(exceptions).exceptions, grouping);
  it("knows what its version of before makes of the same, where that is another", () => {
    const [one, two] = [of({ version: 1 }), of({ version: 2 })];
    expect(of({ version: 2, before: 1 })).toEqual({ ...two, older: one.value });
    expect(of({ version: 1, before: 2 })).toEqual({ ...one, older: two.value });
    expect(two).toMatchObject({ version: "v2" });
    expect(two).not.toHaveProperty("older");
    expect(of({ version: 2, before: 1 }, [{ type: "Error", value: "late" }])).not.toHaveProperty("older");
  });
});

describe("a client's own fingerprint", () => {
  it("is taken as it is up to 64 bytes, even when it is empty, and digested beyond", () => {
    expect(manualFingerprint("").value).toBe("");
    expect(manualFingerprint("x".repeat(64)).value).toBe("x".repeat(64));
    expect(manualFingerprint("ä".repeat(33)).value).toMatch(/^[0-9a-f]{128}$/);
    expect(manualFingerprint("a").record).toEqual([{ type: "manual" }]);
  });
});

it("everything that a grouping rule matches has the rule's fingerprint", () => {
  expect(customFingerprint("01957a55")).toEqual({
    value: "custom-rule:01957a55",
    kind: "custom",
    record: [{ type: "custom", rule_id: "01957a55" }],
  });
});
