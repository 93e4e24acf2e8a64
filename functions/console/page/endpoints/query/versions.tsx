import { useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Diff } from "../../../parts/diff/diff.tsx";
import { ChoiceField } from "../../../parts/field/field.tsx";
import { Pages } from "../../../parts/pages/pages.tsx";
import { Loaded, Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { change, type Endpoint, endpointsPath, type Place, retrieve } from "../calls.ts";
import { TableState } from "../table/table-state.tsx";
import { personName, queryText } from "../words.ts";

export const PAGE = 50;

interface VersionsProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  /** A page of them, the newest first. */
  readonly versions: readonly Endpoint[];
  readonly count: number;
  readonly offset: number;
}

/** Who saved which version when, and what changed from one to another. */
export const Versions = ({ place, endpoint, versions, count, offset }: VersionsProps) => {
  const address = useAddress();
  const after = Number(address.query.get("version")) || endpoint.current_version;
  const before = Number(address.query.get("against")) || Math.max(1, after - 1);
  return (
    <>
      <Table
        label="Versions"
        columns={COLUMNS}
        rows={versions}
        keyOf={({ version = 0 }) => version}
        open={count > 1 ? after : undefined}
        {...(count > 1 && { hrefOf: ({ version }: Endpoint) => withQuery(address, { version: String(version), against: undefined }) })}
      />
      <Pages
        label="versions"
        offset={offset}
        limit={PAGE}
        count={count}
        hrefOf={(next) => withQuery(address, { offset: next === 0 ? undefined : String(next) })}
      />
      {count > 1 && <Comparison place={place} endpoint={endpoint} before={before} after={after} />}
    </>
  );
};

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "Version",
    cell: ({ version, current_version }) => (
      <span class="endpoints-name">{version === current_version ? `${version}, current` : version}</span>
    ),
  },
  { title: "Saved", cell: ({ version_created_at: at }) => at && <Ago at={at} /> },
  { title: "By", wide: true, cell: ({ version_created_by }) => personName(version_created_by) },
  { title: "Last run", cell: ({ last_executed_at: at }) => (at === null ? <span class="soft">never</span> : <Ago at={at} />) },
  { title: "Table", cell: ({ materialization }) => <TableState materialization={materialization} /> },
  { title: "State", cell: ({ is_active }) => (is_active ? "active" : <span class="soft">inactive</span>) },
];

interface ComparisonProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly before: number;
  readonly after: number;
}

const Comparison = ({ place, endpoint, before, after }: ComparisonProps) => {
  const { may } = useSession();
  const address = useAddress();
  const { running, problem, run } = useAction();
  const left = useCall(retrieve(place, before), { freshMs: Number.POSITIVE_INFINITY });
  const right = useCall(retrieve(place, after), { freshMs: Number.POSITIVE_INFINITY });
  const numbers = Array.from({ length: endpoint.versions_count }, (_, place) => String(endpoint.versions_count - place));
  const options = numbers.map((value) => ({ value, title: `Version ${value}` }));
  const { query } = right.data ?? {};
  const again = async (): Promise<void> => {
    if (query && (await run(change(place, { query }), endpointsPath(place.project_id)))) {
      go(withQuery(address, { version: undefined, against: undefined }), { replace: true });
    }
  };
  return (
    <div class="endpoint-section">
      <div class="endpoint-compared">
        <ChoiceField
          label="From"
          value={String(before)}
          options={options}
          change={(value) => go(withQuery(address, { version: String(after), against: value }), { replace: true })}
        />
        <ChoiceField
          label="To"
          value={String(after)}
          options={options}
          change={(value) => go(withQuery(address, { version: value, against: String(before) }), { replace: true })}
        />
        {may("endpoint:write") && after !== endpoint.current_version && (
          <button type="button" disabled={running || !query} onClick={() => void again()}>
            Save version {after} again as version {endpoint.versions_count + 1}
          </button>
        )}
      </div>
      {problem && <Problem problem={problem} />}
      <Loaded of={left} lines={3}>
        {(older) => (
          <Loaded of={right} lines={3}>
            {(newer) =>
              older.query &&
              newer.query && (
                <Diff label={`From version ${before} to ${after}`} before={queryText(older.query)} after={queryText(newer.query)} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </div>
  );
};
