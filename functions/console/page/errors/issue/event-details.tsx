import type { CallState } from "../../../calls/use-call.ts";
import { Loaded } from "../../../parts/state/state.tsx";
import { Table } from "../../../parts/table/table.tsx";
import { Ago, Exact } from "../../../parts/time/time.tsx";
import { Tree } from "../../../parts/tree/tree.tsx";
import { useAddress, withQuery } from "../../address.ts";
import { type EventLine, readEventLines } from "../queries.ts";
import type { ExceptionEvent } from "./event.ts";

interface EventDetailsProps {
  readonly event: ExceptionEvent;
  readonly lines: CallState<{ readonly results: readonly unknown[] }>;
}

/** Events that are listed below a stack. */
const LISTED = 10;

/** What happened before an exception, all else that its event says, and the events around it. */
export const EventDetails = ({ event, lines }: EventDetailsProps) => {
  const address = useAddress();
  return (
    <>
      {event.steps.length > 0 && (
        <section>
          <h2>What happened before</h2>
          <ol class="steps">
            {event.steps.map(({ message, at, kind, rest }, place) => (
              <li key={place}>
                <span class="soft">{at !== undefined && <Exact at={at} />}</span>
                <span>
                  {kind && <code class="soft">{kind} </code>}
                  {message}
                  {Object.keys(rest).length > 0 && <code class="soft"> {JSON.stringify(rest)}</code>}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
      <section>
        <h2>Properties</h2>
        <Tree label="Properties" value={{ distinct_id: event.distinctId, uuid: event.uuid, ...event.properties }} />
      </section>
      <section>
        <h2>Last events</h2>
        <Loaded of={lines}>
          {(data) => (
            <Table<EventLine>
              label="Last events of this issue"
              columns={EVENT_COLUMNS}
              rows={readEventLines(data).slice(0, LISTED)}
              keyOf={({ uuid }) => uuid}
              open={event.uuid}
              hrefOf={({ uuid }) => withQuery(address, { event: uuid })}
            />
          )}
        </Loaded>
      </section>
    </>
  );
};

const EVENT_COLUMNS = [
  { title: "When", cell: ({ timestamp }: EventLine) => <Ago at={timestamp} /> },
  { title: "Person", cell: ({ distinctId }: EventLine) => <span class="brief">{distinctId}</span> },
  { title: "Release", cell: ({ release }: EventLine) => release ?? "–" },
  { title: "Where", wide: true, cell: ({ url }: EventLine) => url ?? "–" },
];
