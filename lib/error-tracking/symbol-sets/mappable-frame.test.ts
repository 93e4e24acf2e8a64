import { expect, it } from "vitest";
import { parseEvent } from "../parsing/parsed-event.ts";
import { MOST_REF_BYTES } from "./mappable-frame.ts";

const WEB = { platform: "web:javascript", function: "a", filename: "https://shop.test/assets/app.js?v=2", lineno: 1, colno: 12 };

/** The sets that are looked for, and the places. */
const mappable = (frame: object, more: object = {}) => {
  const $exception_list = [{ type: "Error", stacktrace: { type: "raw", frames: [{ ...WEB, ...frame }] } }];
  return [...parseEvent({ $exception_list, ...more }, String).mappable.values()];
};

it("a frame of built code names the set of its chunk", () => {
  const place = { line: 0, column: 11, function: "a" };
  expect(mappable({ chunk_id: "c" })).toEqual([{ ref: "c", place }]);
  expect(mappable({ chunkId: "c", platform: "node:javascript" })).toEqual([{ ref: "c", place }]);
  // The column of byte code is an offset, which begins with 0.
  expect(mappable({ chunk_id: "c", platform: "hermes" })).toEqual([{ ref: "c", place: { ...place, column: 12 } }]);
});

it("without a chunk it names the release of its event and the path of its file", () => {
  expect(mappable({}, { $release_id: "shop-1.4.2" })).toMatchObject([{ ref: "shop-1.4.2/assets/app.js" }]);
  const withPlace = { filename: "https://shop.test/assets/app.js:1:20" };
  expect(mappable(withPlace, { $release_id: "shop-1.4.2" })).toMatchObject([{ ref: "shop-1.4.2/assets/app.js" }]);
  expect(mappable({})).toEqual([]);
  expect(mappable({ filename: "<anonymous>" }, { $release_id: "shop-1.4.2" })).toEqual([]);
});

it.each([
  ["of another language", { platform: "python", chunk_id: "c" }],
  ["without a column", { colno: null, chunk_id: "c" }],
  ["before the first line", { lineno: 0, chunk_id: "c" }],
  ["with an empty chunk", { chunk_id: "" }],
  ["with a chunk that no key holds", { chunk_id: "c".repeat(MOST_REF_BYTES + 1) }],
  ["with a chunk of fewer characters that no key holds", { chunk_id: "é".repeat(MOST_REF_BYTES / 2 + 1) }],
  ["with a chunk that is too long once it is escaped for a key", { chunk_id: "#".repeat(MOST_REF_BYTES) }],
])("a frame %s names none", (_, frame) => expect(mappable(frame)).toEqual([]));
