import fc from "fast-check";
import { expect, test } from "vitest";
import { router } from "../../../lib/http/router.ts";

const WORDS = ["a", "b", "c"];
const template = fc.array(fc.constantFrom(...WORDS, "{x}", "{y}"), { minLength: 1, maxLength: 4 }).map((parts) => `/${parts.join("/")}/`);
const path = fc
  .array(fc.constantFrom(...WORDS, "d", "", "%61", "%zz"), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join("/")}`);

/** All templates one by one: those that fit, and of them the one whose literals come first. */
const naive = (templates: readonly string[], asked: string): string | undefined => {
  let parts: string[];
  try {
    parts = asked.replace(/^\//, "").replace(/\/$/, "").split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const rank = (each: string) => each.replace(/\{[^}]+\}/g, "~");
  return templates
    .filter((each) => {
      const wanted = each.slice(1, -1).split("/");
      return (
        wanted.length === parts.length &&
        wanted.every((part, index) => (part.startsWith("{") ? parts[index] !== "" : part === parts[index]))
      );
    })
    .sort((a, b) => (rank(a) < rank(b) ? -1 : 1))[0];
};

const distinct = (templates: readonly string[]) => [...new Map(templates.map((each) => [each.replace(/\{[^}]+\}/g, "{}"), each])).values()];

test("the router finds what trying every template finds", () => {
  fc.assert(
    fc.property(fc.array(template, { maxLength: 12 }), path, fc.boolean(), (declared, asked, slash) => {
      const templates = distinct(declared);
      const find = router(templates.map((each) => ({ path: each, value: each })));
      expect(find(slash ? `${asked}/` : asked)?.value).toBe(naive(templates, slash ? `${asked}/` : asked));
    }),
    { numRuns: 2_000 },
  );
});

test("a hole gives back the value that was written into it", () => {
  const find = router([{ path: "/api/{id}/x/", value: 1 }]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (value) => {
      expect(find(`/api/${encodeURIComponent(value)}/x`)?.params).toEqual({ id: value });
    }),
  );
});

test("`{rest+}` takes what nothing more specific takes, and never nothing", () => {
  const find = router([
    { path: "/a/{proxy+}", value: "rest" },
    { path: "/a/b/", value: "b" },
  ]);
  expect(find("/a/b")?.value).toBe("b");
  expect(find("/a/c/d/")).toEqual({ value: "rest", params: { proxy: "c/d" } });
  expect(find("/a/")).toBeUndefined();
});
