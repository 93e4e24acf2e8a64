import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "./body.ts";
import { peekField } from "./peek.ts";

const found = (body: string, contentType: string) =>
  peekField(
    {
      ...{ id: "r", method: "POST", path: "/", query: [], origin: "http://localhost", ip: "127.0.0.1" },
      headers: { "content-type": contentType },
      body: Buffer.from(body),
    },
    "key",
  );

const FORM = "application/x-www-form-urlencoded";
const PARTS = "multipart/form-data; boundary=b1";
const part = (name: string, value: string, more = "") =>
  `--b1\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}\r\n`;

describe("a field of a body that is not read", () => {
  it.each([
    ["JSON", '{"a":[{"key":"no"}],"key":"yes"}', "application/json", "yes"],
    ["JSON with escapes before it", '{"a":"\\\\","b":"\\"","key":"yes"}', "application/json; charset=utf-8", "yes"],
    ["JSON that names it below", '{"a":{"key":"no"}}', "application/json", undefined],
    ["a form", "a=1&key=y%65s&b=2", FORM, "yes"],
    ["a form that begins with it", "key=yes", FORM, "yes"],
    ["a form with two", "key=no&key=yes", FORM, "yes"],
    ["a form where another name ends so", "monkey=no", FORM, undefined],
    ["parts", `${part("a", "1")}${part("key", "yes")}--b1--\r\n`, PARTS, "yes"],
    ["parts with a quoted boundary", `${part("key", "yes")}--b1--\r\n`, 'multipart/form-data; boundary="b1"', "yes"],
    ["a part with further headers", `${part("key", "yes", "X-A: b\r\n")}--b1--`, PARTS, "yes"],
    ["a part that quotes such a part", `${part("a", 'name="key"\r\n\r\nno')}--b1--`, PARTS, undefined],
    ["parts without a boundary", part("key", "no"), "multipart/form-data", undefined],
    ["text", "key=no", "text/plain", undefined],
  ])("%s", (_name, body, contentType, expected) => {
    expect(found(body, contentType)).toBe(expected);
  });

  it("is cut where it is longer than any key", () => {
    const long = `${"k".repeat(1_000)}\\u0041`;
    expect(found(`{"key":"${long}"}`, "application/json")).toBe("k".repeat(1_000));
    expect(found(`key=${long}`, FORM)).toBe("k".repeat(1_000));
    expect(found(`{"key":"${"k".repeat(994)}\\u0041"}`, "application/json")).toBe(`${"k".repeat(994)}A`);
  });

  it("is not looked for in a body that is too long", () => {
    expect(found(`key=no&${"a".repeat(MAX_BODY_BYTES)}`, FORM)).toBeUndefined();
  });
});
