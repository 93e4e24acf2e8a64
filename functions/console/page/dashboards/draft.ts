import type { Dashboard, DashboardChange, Tile } from "./calls.ts";

/** What is changed of a dashboard and not saved yet. */
export interface Draft extends Pick<Dashboard, "name" | "description" | "pinned" | "filters" | "tiles"> {
  /** The revision that the changes were made on. */
  readonly revision: number;
}

export const draftOf = ({ name, description, pinned, filters, tiles, revision }: Dashboard): Draft => ({
  name,
  description,
  pinned,
  filters,
  tiles,
  revision,
});

/** Tiles that the server has not seen have ids of the page's own. */
const UNSAVED = "new-";

export const newTileId = (tiles: readonly Tile[]): string => {
  const last = Math.max(0, ...tiles.map(({ id }) => (id.startsWith(UNSAVED) ? Number(id.slice(UNSAVED.length)) : 0)));
  return `${UNSAVED}${last + 1}`;
};

export const savedForm = ({ tiles, ...rest }: Draft): DashboardChange => ({
  ...rest,
  name: rest.name.trim(),
  tiles: tiles.map(({ id, ...tile }) => (id.startsWith(UNSAVED) ? tile : { id, ...tile })),
});

/** The tiles with one of them at another place. */
export const movedTile = (tiles: readonly Tile[], id: string, to: number): Tile[] => {
  const tile = tiles.find((each) => each.id === id);
  const others = tiles.filter((each) => each.id !== id);
  return tile ? others.toSpliced(to, 0, tile) : others;
};

const drafts = new Map<string, Draft>();
const dropped = new Map<string, Draft>();

/** The draft of this name: it outlives the view, and ends with the tab. */
export const keptDraft = (name: string): Draft | undefined => drafts.get(name);

export const keepDraft = (name: string, draft: Draft): void => {
  drafts.set(name, draft);
  dropped.delete(name);
};

/** Puts a draft aside, from where it can be brought back until another is made. */
export const dropDraft = (name: string): void => {
  const draft = drafts.get(name);
  drafts.delete(name);
  if (draft) dropped.set(name, draft);
};

export const droppedDraft = (name: string): Draft | undefined => dropped.get(name);

/** It was saved: nothing of it is kept. */
export const forgetDraft = (name: string): void => {
  drafts.delete(name);
  dropped.delete(name);
};
