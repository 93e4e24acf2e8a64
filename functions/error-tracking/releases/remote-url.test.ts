import { expect, it } from "vitest";
import { plainUrl } from "./remote-url.ts";

it.each([
  ["https://u:p@h/r.git?t=1#x", "https://h/r.git"],
  ["//u@h/r.git", "//h/r.git"],
  ["https://a@b:c@h/r", "https://h/r"],
  ["u:p@h/r.git", "h/r.git"],
  [" https://u:p@h/r.git\n", "https://h/r.git"],
  ["git@github.com:acme/shop.git", "git@github.com:acme/shop.git"],
  ["https://h/a@b", "https://h/a@b"],
  ["", ""],
])("%j is kept as %j", (url, kept) => expect(plainUrl(url)).toBe(kept));
