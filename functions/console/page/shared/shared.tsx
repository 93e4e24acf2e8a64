import { useEffect } from "preact/hooks";
import type { components } from "../../calls/api.d.ts";
import { ApiProblem } from "../../calls/problems.ts";
import { type Session, SessionProvider } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { conditionWords } from "../../parts/conditions/condition.ts";
import { rangeWords } from "../../parts/range/words.ts";
import { Empty, Loaded } from "../../parts/state/state.tsx";
import { Tile, TileGrid } from "../../parts/tile/tile.tsx";
import { ZoneProvider } from "../../parts/time/time.tsx";
import { dashboard, tile } from "./calls.ts";

type SharedDashboard = components["schemas"]["SharedDashboard"];

/** A visitor of a public link has no key, also where the console keeps one on the device. */
const VISITOR: Session = {
  key: undefined,
  who: undefined,
  because: undefined,
  may: () => false,
  signIn: async () => undefined,
  again: () => undefined,
  replaceKey: () => undefined,
  signOut: () => undefined,
};

/** Rows are asked for again as often as this: far below what one address may ask for in a minute. */
const EVERY_MS = 5 * 60_000;

/** The page of a public link: a dashboard, and no way to anything else. */
export const SharedPage = ({ token }: { readonly token: string }) => (
  <SessionProvider value={VISITOR}>
    <Shared token={token} />
  </SessionProvider>
);

const Shared = ({ token }: { readonly token: string }) => {
  const asked = useCall(dashboard(token), { everyMs: EVERY_MS });
  const isGone = asked.problem instanceof ApiProblem && asked.problem.status === 404;
  const title = isGone ? "This link shows nothing any more" : (asked.data?.name ?? "Dashboard");
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main class="shared" id="main">
      {isGone ? (
        <>
          <h1>{title}</h1>
          <p>It was revoked or replaced, or a part of it is missing. Ask whoever gave it to you for another one.</p>
        </>
      ) : (
        <>
          {asked.data === undefined && <h1 class="hidden">{title}</h1>}
          <Loaded of={asked} lines={12}>
            {(shown) => <SharedTiles token={token} dashboard={shown} />}
          </Loaded>
        </>
      )}
    </main>
  );
};

const SharedTiles = ({
  token,
  dashboard: { name, description, timezone, filters, tiles },
}: {
  readonly token: string;
  readonly dashboard: SharedDashboard;
}) => {
  const said = [rangeWords(filters), ...(filters.properties ?? []).map(conditionWords)].filter(Boolean).join(", ");
  return (
    <ZoneProvider value={timezone}>
      <header class="shared-head">
        <h1>{name}</h1>
        {description && <p class="soft">{description}</p>}
        <p class="note">
          {said || "Each tile has its own range"}. Times are those of {timezone}.
        </p>
      </header>
      {tiles.length === 0 && <Empty title="This dashboard has no tile yet." />}
      <TileGrid>
        {tiles.map((each) => (
          <SharedTile key={each.id} token={token} shown={each} />
        ))}
      </TileGrid>
    </ZoneProvider>
  );
};

interface SharedTileProps {
  readonly token: string;
  readonly shown: SharedDashboard["tiles"][number];
}

const SharedTile = ({ token, shown }: SharedTileProps) => {
  const rows = useCall(tile(token, shown.id), { everyMs: EVERY_MS });
  return <Tile {...shown} of={rows} />;
};
