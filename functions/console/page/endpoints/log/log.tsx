import { useCall } from "../../../calls/use-call.ts";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Empty, Loaded } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Exact, useZone } from "../../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { logs } from "../calls.ts";
import type { TabProps } from "../tab-props.ts";
import { type Entry, entry } from "./entry.ts";

const PAGE = 50;
const EVERY_MS = 5_000;

/** The part of the log that an address says. */
export const logFilter = (query: URLSearchParams) => ({
  level: query.get("level") || undefined,
  search: query.get("search") || undefined,
  before: query.get("before") || undefined,
  limit: PAGE,
});

/** The runs of the last 30 days, the newest first. */
export const Log = ({ place }: TabProps) => {
  const address = useAddress();
  const zone = useZone();
  const filter = logFilter(address.query);
  // What lies before a moment does not change.
  const listed = useCall(logs(place, filter), filter.before === undefined ? { everyMs: EVERY_MS } : {});
  const change = (changes: Readonly<Record<string, string>>): void =>
    go(withQuery(address, { ...changes, before: undefined }), { replace: true });
  const isFiltered = filter.level !== undefined || filter.search !== undefined;
  return (
    <>
      <div class="endpoints-filter">
        <TextField label="Words of the entry" type="search" value={filter.search ?? ""} change={(search) => change({ search })} />
        <ChoiceField label="Level" value={filter.level ?? ""} options={LEVELS} change={(level) => change({ level })} />
      </div>
      <Loaded of={listed} lines={8}>
        {({ results, next }) => (
          <>
            <Table
              label="Log"
              columns={columns(zone)}
              rows={results.map(entry)}
              keyOf={({ id }) => id}
              empty={
                isFiltered ? (
                  <Empty title="No entry fits." />
                ) : (
                  <Empty title="Not run in the last 30 days.">
                    <p>Each run is logged here: try it in Run, or call it as Use shows.</p>
                  </Empty>
                )
              }
            />
            <nav class="pages" aria-label="Pages: log">
              {filter.before && <a href={withQuery(address, { before: undefined })}>Newest</a>}
              {next && <a href={withQuery(address, { before: new URL(next).searchParams.get("before") ?? undefined })}>Older</a>}
            </nav>
          </>
        )}
      </Loaded>
    </>
  );
};

const LEVELS = [
  { value: "", title: "All" },
  { value: "INFO", title: "INFO" },
  { value: "WARN", title: "WARN" },
  { value: "ERROR", title: "ERROR" },
];

const columns = (zone: string): readonly Column<Entry>[] => [
  { title: `Time, ${zone}`, cell: ({ at }) => <Exact at={at} /> },
  { title: "Level", cell: ({ level }) => (level === "ERROR" ? <span class="wrong-word">{level}</span> : level) },
  { title: "Entry", wide: true, cell: ({ message }) => message },
  { title: "Path", cell: ({ path }) => path },
  { title: "Cache", cell: ({ cache }) => cache },
  { title: "Version", numeric: true, cell: ({ version }) => version },
  { title: "Rows", numeric: true, cell: ({ rows }) => rows && numberText(Number(rows)) },
  { title: "ms", numeric: true, cell: ({ duration_ms: ms }) => ms && numberText(Number(ms)) },
];
