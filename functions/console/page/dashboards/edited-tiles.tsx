import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { TileGrid } from "../../parts/tile/tile.tsx";
import type { Filters, Tile } from "./calls.ts";
import { movedTile, newTileId } from "./draft.ts";
import { EndpointTile, tileTitle } from "./endpoint-tile.tsx";
import { TileForm } from "./tile-form.tsx";
import { useDrag } from "./use-drag.ts";

interface EditedTilesProps {
  readonly project: ReachedProject;
  readonly tiles: readonly Tile[];
  readonly filters: Filters;
  readonly refreshes: number;
  change(tiles: readonly Tile[]): void;
}

/** The API's own limit. */
const MOST_TILES = 24;

const FIRST_TILE = { endpoint: "", version: null, title: null, plot: "auto", width: 6, height: 1, variables: {} } as const;

/** The tiles of a dashboard with what can be done to each: its place, its form, and its end. */
export const EditedTiles = ({ project, tiles, filters, refreshes, change }: EditedTilesProps) => {
  const { may } = useSession();
  const [open, setOpen] = useState<Tile>();
  const [before, setBefore] = useState<{ readonly tile: Tile; readonly place: number }>();
  // A button that is pressed moves with its tile, and would lose the focus; at an end the other one has it.
  const pressed = useRef<HTMLElement>(undefined);
  useLayoutEffect(() => {
    const button = pressed.current;
    const isAtEnd = button?.matches(":disabled") === true;
    (isAtEnd ? button?.parentElement?.querySelector<HTMLElement>("button:enabled:not([data-drag])") : button)?.focus();
    pressed.current = undefined;
  }, [tiles]);
  const drag = useDrag((id, over) => {
    change(
      movedTile(
        tiles,
        id,
        tiles.findIndex((tile) => tile.id === over),
      ),
    );
  });
  const remove = (tile: Tile, place: number): void => {
    setBefore({ tile, place });
    change(tiles.filter((each) => each !== tile));
  };
  const put = (tile: Tile): void => {
    setOpen(undefined);
    change(tiles.some(({ id }) => id === tile.id) ? tiles.map((each) => (each.id === tile.id ? tile : each)) : [...tiles, tile]);
  };

  return (
    <>
      <p class="dashboard-choice">
        {may("endpoint:read") && (
          <button type="button" disabled={tiles.length >= MOST_TILES} onClick={() => setOpen({ ...FIRST_TILE, id: newTileId(tiles) })}>
            Add a tile
          </button>
        )}
        <span class="note" role="status">
          {before && (
            <>
              “{tileTitle(before.tile)}” is removed.
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  change(movedTile([...tiles, before.tile], before.tile.id, before.place));
                  setBefore(undefined);
                }}
              >
                Undo
              </button>
            </>
          )}
          {tiles.length >= MOST_TILES && `A dashboard has at most ${MOST_TILES} tiles.`}
        </span>
      </p>
      <div class="edited-tiles" {...drag}>
        <TileGrid>
          {tiles.map((tile, place) => {
            const step = (by: number) => (event: MouseEvent) => {
              pressed.current = event.currentTarget instanceof HTMLElement ? event.currentTarget : undefined;
              change(movedTile(tiles, tile.id, place + by));
            };
            const title = <span class="hidden"> {tileTitle(tile)}</span>;
            return (
              <EndpointTile key={tile.id} project={project} tile={tile} filters={filters} refreshes={refreshes}>
                <p class="tile-actions">
                  <button type="button" class="quiet drag" data-drag={tile.id} tabIndex={-1} aria-hidden="true">
                    Drag
                  </button>
                  <button type="button" class="quiet" disabled={place === 0} onClick={step(-1)}>
                    Earlier{title}
                  </button>
                  <button type="button" class="quiet" disabled={place === tiles.length - 1} onClick={step(1)}>
                    Later{title}
                  </button>
                  <button type="button" class="quiet" onClick={() => setOpen(tile)}>
                    Change{title}
                  </button>
                  <button type="button" class="quiet" onClick={() => remove(tile, place)}>
                    Remove{title}
                  </button>
                </p>
              </EndpointTile>
            );
          })}
        </TileGrid>
      </div>
      {open && (
        <Dialog title={open.endpoint === "" ? "Add a tile" : "Change the tile"} close={() => setOpen(undefined)}>
          <TileForm project={project} tile={open} done={put} />
        </Dialog>
      )}
    </>
  );
};
