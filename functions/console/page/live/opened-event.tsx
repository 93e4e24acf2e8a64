import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../../parts/copy/copy.tsx";
import { Problem } from "../../parts/state/state.tsx";
import { Exact } from "../../parts/time/time.tsx";
import { type Leaf, Tree } from "../../parts/tree/tree.tsx";
import { type Address, withQuery } from "../address.ts";
import type { LiveEvent } from "./feed.ts";
import { filterBy } from "./filters.ts";
import type { Opened } from "./use-opened.ts";

interface OpenedEventProps {
  readonly opened: Opened;
  readonly address: Address;
}

/** What is open beside the rows. */
export const OpenedEvent = ({ opened: { event, isMissing, problem }, address }: OpenedEventProps) => {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.scrollTo(0, 0), [event?.uuid]);
  return (
    <aside class="opened" ref={panel} aria-label="The event that is open">
      <header>
        <h2>{event?.event ?? "Event"}</h2>
        <div class="opened-actions">
          {event && <CopyButton key={event.uuid} text={JSON.stringify(event, null, 2)} label="Copy all" />}
          <a href={withQuery(address, { open: undefined })}>Close</a>
        </div>
      </header>
      {problem && <Problem problem={problem} />}
      {isMissing && <p>The last 30 days have no event with this id.</p>}
      {event && <WholeEvent key={event.uuid} event={event} address={address} />}
    </aside>
  );
};

const WholeEvent = ({ event, address }: { readonly event: LiveEvent; readonly address: Address }) => {
  const { properties, ...head } = event;
  const filterLink = ({ path, value }: Leaf) => {
    const filters = filterBy(path, value);
    return (
      filters && (
        <a class="quiet" href={withQuery(address, { ...filters, open: undefined })}>
          Filter by this<span class="hidden"> {path.at(-1)}</span>
        </a>
      )
    );
  };
  return (
    <>
      <p class="soft">
        <Exact at={event.timestamp} />
      </p>
      <Tree label={`${event.event} with its properties`} value={{ ...head, properties }} actions={filterLink} />
    </>
  );
};
