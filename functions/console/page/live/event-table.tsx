import { useMemo } from "preact/hooks";
import { type Column, Table } from "../../parts/table/table.tsx";
import { useZone } from "../../parts/time/time.tsx";
import { type Address, withQuery } from "../address.ts";
import { keyOf, type LiveEvent } from "./feed.ts";
import { tellingProperties } from "./telling.ts";

interface EventTableProps {
  readonly events: readonly LiveEvent[];
  readonly address: Address;
  /** The key of the event that is open. */
  readonly open: string | undefined;
}

/** The events, the newest first. It is drawn anew only where they change. */
export const EventTable = ({ events, address, open }: EventTableProps) => {
  const zone = useZone();
  const columns = useMemo(() => columnsIn(zone), [zone]);
  return useMemo(
    () => (
      <Table
        label="Events, the newest first"
        columns={columns}
        rows={events}
        keyOf={keyOf}
        open={open}
        hrefOf={({ uuid }) => withQuery(address, { open: uuid })}
      />
    ),
    [events, columns, open, address],
  );
};

const columnsIn = (timeZone: string): readonly Column<LiveEvent>[] => {
  const time = new Intl.DateTimeFormat("sv-SE", { timeZone, timeStyle: "medium" });
  const day = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return [
    {
      title: "Time",
      cell({ timestamp }) {
        const at = new Date(timestamp);
        const date = day.format(at);
        // The page may be open for days.
        return (
          <time dateTime={timestamp}>
            {date !== day.format(Date.now()) && <span class="soft">{date} </span>}
            {time.format(at)}
          </time>
        );
      },
    },
    { title: "Event", cell: ({ event }) => event },
    { title: "Person", cell: ({ distinct_id }) => distinct_id },
    {
      title: "Properties",
      wide: true,
      cell: ({ properties }) =>
        tellingProperties(properties).map(({ name, text }) => (
          <span key={name} class="telling">
            <span class="soft">{name}</span> {text}
          </span>
        )),
    },
  ];
};
