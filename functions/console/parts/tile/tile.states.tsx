import { Tile, type TileAnswer, TileGrid } from "./tile.tsx";

const days: TileAnswer = {
  results: [
    ["2026-10-01", 120],
    ["2026-10-02", 180],
    ["2026-10-03", 90],
  ],
  columns: ["day", "events"],
  types: [
    ["day", "Date"],
    ["events", "UInt64"],
  ],
  last_refresh: "2026-10-04T12:00:00Z",
};

const came = { data: days, problem: undefined };
const refused = { data: undefined, problem: new Error("The endpoint takes no variable “browser”.") };
const shared = { plot: "auto", width: 4, height: 1 } as const;

export const states = {
  "beside each other: rows, a table, one that loads, one that failed, one without rows": () => (
    <TileGrid>
      <Tile {...shared} id="1" title="Events a day" href="project/1/endpoints/events-by-day" width={12} height={2} of={came} />
      <Tile {...shared} id="2" title="As a table" note="not filtered" plot="table" of={came} />
      <Tile
        {...shared}
        id="3"
        title="A title that is longer than the tile that it stands on has room for"
        of={{ data: undefined, problem: undefined }}
      />
      <Tile {...shared} id="4" title="Failed" of={refused} />
      <Tile {...shared} id="5" title="Nothing" of={{ data: { ...days, results: [] }, problem: undefined }} />
      <Tile {...shared} id="6" title="Old" of={{ ...came, ...refused, data: days, at: Date.UTC(2026, 9, 4) }}>
        <p class="note">What can be done with it</p>
      </Tile>
    </TileGrid>
  ),
};
