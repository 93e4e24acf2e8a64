import { useMemo, useRef, useState } from "preact/hooks";
import { ApiProblem, Unreachable } from "../../calls/problems.ts";
import { useSession } from "../../calls/session.ts";
import { type Following, useFollow } from "../../calls/use-follow.ts";
import { Bars } from "../../parts/bars/bars.tsx";
import { BigNumber, numberText } from "../../parts/number/number.tsx";
import { Empty, Problem, Skeleton } from "../../parts/state/state.tsx";
import { Ago, useZone } from "../../parts/time/time.tsx";
import { type Address, useAddress, withQuery } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import type { View } from "../view.ts";
import { liveEvents, MOST_AT_ONCE } from "./calls.ts";
import { EventTable } from "./event-table.tsx";
import { beginning, type Feed, grown, type LiveEvents, lastHour, lastMinute, MINUTE_MS } from "./feed.ts";
import { FilterBar, FilterButton } from "./filter-bar.tsx";
import { type Filters, filtersIn, NO_FILTERS } from "./filters.ts";
import { FirstEvent, Light } from "./first-event.tsx";
import { OpenedEvent } from "./opened-event.tsx";
import { useOpened } from "./use-opened.ts";
import { type Pause, usePause } from "./use-pause.ts";

const EVERY_MS = 2_000;

/** Events as they come. */
export const view: View = ({ project }) => {
  const address = useAddress();
  const { who } = useSession();
  const filters = useMemo(() => filtersIn(address.query), [address]);
  const { feed, now, following } = useFeed(project.id, filters);
  const pause = usePause();
  const hasFilters = Object.keys(filters).length > 0;
  const isFirst = feed?.events.length === 0 && !hasFilters;
  const hasWaited = useRef(false);
  hasWaited.current ||= isFirst;
  return (
    <Frame
      title="Live"
      call={liveEvents(project.id, filters)}
      actions={
        !isFirst && (
          <>
            <FilterButton filters={filters} address={address} />
            <button type="button" onClick={pause.toggle} title="Or the space bar">
              {pause.asked ? "Go on" : "Pause"}
            </button>
          </>
        )
      }
    >
      <Trouble following={following} />
      {hasWaited.current && !hasFilters && <Light arrived={!isFirst} />}
      {isFirst && <FirstEvent project={project} host={who?.ingest_url ?? ""} address={address} />}
      <FilterBar filters={filters} address={address} />
      {feed === undefined
        ? following.problem === undefined && <Skeleton lines={12} />
        : !isFirst && <Events projectId={project.id} feed={feed} now={now} pause={pause} address={address} dimmed={!!following.problem} />}
    </Frame>
  );
};

/** What came for these filters, and when it was looked last. */
const useFeed = (projectId: number, filters: Filters) => {
  const name = JSON.stringify([projectId, filters]);
  const [known, setKnown] = useState<{ readonly name: string; readonly feed: Feed; readonly now: number }>();
  const following = useFollow<LiveEvents>({
    name,
    everyMs: EVERY_MS,
    call: (after) => liveEvents(projectId, filters, after?.next),
    received: (answer) =>
      setKnown((before) => ({
        name,
        feed: before?.name === name ? grown(before.feed, answer) : beginning(answer),
        now: Date.now(),
      })),
  });
  return { feed: known?.name === name ? known.feed : undefined, now: known?.now ?? 0, following };
};

/** Why nothing new comes, and since when. */
const Trouble = ({ following: { problem, at } }: { readonly following: Following }) =>
  problem && (
    <Problem problem={problem}>
      {problem instanceof Unreachable && " It is asked again by itself."}
      {problem instanceof ApiProblem &&
        problem.status === 429 &&
        ` It goes on by itself${problem.retrySeconds ? ` in ${problem.retrySeconds} s` : ""}.`}
      {at !== undefined && (
        <>
          {" "}
          Last heard of <Ago at={at} />.
        </>
      )}
    </Problem>
  );

interface EventsProps {
  readonly projectId: number;
  readonly feed: Feed;
  readonly now: number;
  readonly pause: Pause;
  readonly address: Address;
  readonly dimmed: boolean;
}

const Events = ({ projectId, feed, now, pause, address, dimmed }: EventsProps) => {
  const held = useRef<Feed>(undefined);
  if (!pause.paused) held.current = undefined;
  else if (feed.events.length > 0) held.current ??= feed;
  const shown = held.current ?? feed;
  const opened = useOpened(projectId, shown, address.query.get("open"));
  return (
    <div class={dimmed ? "live dimmed" : "live"}>
      <div class="live-numbers">
        <BigNumber value={lastMinute(feed, now)} label="events in the last minute" />
        <Hour feed={feed} now={now} />
      </div>
      <div class={opened ? "live-main has-opened" : "live-main"}>
        {shown.events.length === 0 ? (
          <Empty title="Nothing matched in the last 30 days.">
            <p>
              Events that match from now on show here by themselves. <a href={withQuery(address, NO_FILTERS)}>Clear the filters</a> to see
              all events.
            </p>
          </Empty>
        ) : (
          <div class="live-rows">
            <p class="note">{notes(feed, held.current)}</p>
            <div {...pause.held}>
              <EventTable events={shown.events} address={address} open={opened?.event?.uuid} />
            </div>
          </div>
        )}
        {opened && <OpenedEvent opened={opened} address={address} />}
      </div>
    </div>
  );
};

/** What the rows leave out, and what waits. */
const notes = (feed: Feed, held: Feed | undefined): string => {
  if (held !== undefined) {
    const waiting = feed.arrived - held.arrived;
    return `Paused. ${feed.cut > held.cut ? "More than " : ""}${numberText(waiting)} ${waiting === 1 ? "event waits" : "events wait"}.`;
  }
  return feed.isCut ? `More come than are shown: of each two seconds the newest ${MOST_AT_ONCE}.` : "The newest first.";
};

const Hour = ({ feed, now }: { readonly feed: Feed; readonly now: number }) => {
  const timeZone = useZone();
  const clock = useMemo(() => new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "short" }), [timeZone]);
  const values = lastHour(feed, now);
  return <Bars label="Events a minute" values={values} nameOf={(place) => clock.format(now - (values.length - 1 - place) * MINUTE_MS)} />;
};
