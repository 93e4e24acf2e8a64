import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ReachedProject } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { Tile } from "../../parts/tile/tile.tsx";
import { endpoint, type Filters, runTile, type Tile as SavedTile } from "./calls.ts";
import { isUnfiltered, tileRun } from "./tile-run.ts";

interface EndpointTileProps {
  readonly project: ReachedProject;
  readonly tile: SavedTile;
  readonly filters: Filters;
  /** Its rows are computed anew whenever this grows. */
  readonly refreshes: number;
  readonly children?: ComponentChildren;
}

/** An endpoint's rows may be older than this without being asked for again when one comes back to a dashboard. */
const FRESH_MS = 60_000;

/** A tile with the rows of its endpoint under the filters. */
export const EndpointTile = ({ project, tile, filters, refreshes, children }: EndpointTileProps) => {
  const saved = useCall(endpoint(project.id, tile), { freshMs: FRESH_MS });
  const refreshed = useRef(refreshes);
  const isDue = refreshed.current !== refreshes;
  const run = saved.data && runTile(project.id, tile.endpoint, tileRun(tile, filters, saved.data.query), { force: isDue });
  const rows = useCall(run, { freshMs: FRESH_MS });
  useEffect(() => {
    refreshed.current = refreshes;
    if (isDue) rows.again();
  }, [refreshes]);
  return (
    <Tile
      id={tile.id}
      title={tileTitle(tile)}
      href={`project/${project.id}/endpoints/${encodeURIComponent(tile.endpoint)}`}
      plot={tile.plot}
      width={tile.width}
      height={tile.height}
      note={saved.data && isUnfiltered(tile, filters, saved.data.query) ? "not filtered" : undefined}
      of={{ data: rows.data, at: rows.at, problem: rows.problem ?? (saved.data ? undefined : saved.problem) }}
    >
      {children}
    </Tile>
  );
};

export const tileTitle = ({ title, endpoint: name }: Pick<SavedTile, "title" | "endpoint">): string => title ?? name;
