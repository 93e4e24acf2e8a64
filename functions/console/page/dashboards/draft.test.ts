import { expect, it } from "vitest";
import { movedTile, newTileId, savedForm } from "./draft.ts";

const tile = (id: string) => ({ id, endpoint: "a", version: null, title: null, plot: "auto", width: 6, height: 1, variables: {} }) as const;

it("moves a tile to its new place", () => {
  const tiles = ["a", "b", "c"].map(tile);
  expect(movedTile(tiles, "a", 2).map(({ id }) => id)).toEqual(["b", "c", "a"]);
  expect(movedTile(tiles, "c", 0).map(({ id }) => id)).toEqual(["c", "a", "b"]);
});

it("sends new tiles without an id, and those that there were with theirs", () => {
  const first = newTileId([tile("x")]);
  const second = newTileId([tile("x"), tile(first)]);
  expect(second).not.toBe(first);
  const filters = { date_from: null, date_to: null, properties: null };
  const form = savedForm({ name: " Shop ", description: "", pinned: false, filters, revision: 3, tiles: ["x", first, second].map(tile) });
  expect(form.tiles?.map(({ id }) => id)).toEqual(["x", undefined, undefined]);
  expect(form).toMatchObject({ name: "Shop", revision: 3 });
});
