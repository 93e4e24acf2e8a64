import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { CopyButton } from "../../../parts/copy/copy.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Empty, Loaded } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { useAddress } from "../../address.ts";
import { listReleases, PAGE, type Release, retrieveRelease } from "../calls.ts";
import { Pager, readPage } from "../pager.tsx";
import { countReleases, EVENT_DAYS, type ReleaseCount, readReleaseCounts } from "../queries.ts";

interface ReleasesProps {
  readonly project: ReachedProject;
}

const useReleaseCounts = (project: ReachedProject): ReadonlyMap<string, ReleaseCount> | undefined => {
  const { may } = useSession();
  const { data } = useCall(may("query:read") ? countReleases(project.id) : undefined, { freshMs: 60_000 });
  return data && readReleaseCounts(data);
};

/** What builds said of themselves, the newest first, with the issues that their exceptions led to. */
export const ReleaseList = ({ project }: ReleasesProps) => {
  const page = readPage(useAddress());
  const releases = useCall(listReleases(project.id, (page - 1) * PAGE));
  const counts = useReleaseCounts(project);
  const columns: readonly Column<Release>[] = [
    { title: "Version", cell: ({ version }) => version },
    { title: "Program", cell: ({ project: program }) => program },
    { title: "Commit", wide: true, cell: (release) => <Commit release={release} /> },
    { title: `Issues, ${EVENT_DAYS} days`, numeric: true, cell: ({ id }) => (counts ? numberText(counts.get(id)?.issues ?? 0) : "–") },
    { title: "Events", numeric: true, cell: ({ id }) => (counts ? numberText(counts.get(id)?.events ?? 0) : "–") },
    { title: "Made", cell: ({ created_at }) => <Ago at={created_at} /> },
  ];
  return (
    <Loaded of={releases}>
      {({ count, results }) => (
        <>
          <Table
            label="Releases"
            columns={columns}
            rows={results}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `project/${project.id}/errors/releases/${id}`}
            empty={<NoReleases project={project} />}
          />
          <Pager page={page} rows={PAGE} of={count} />
        </>
      )}
    </Loaded>
  );
};

const NoReleases = ({ project }: ReleasesProps) => (
  <Empty title="No build has said what it is yet." command={releaseCommand(project.id)}>
    <p>
      A build makes a release and puts its <code>hash_id</code> into the events of its program as <code>$release_id</code>; then issues say
      which release they come from.
    </p>
  </Empty>
);

const releaseCommand = (project: number): string =>
  [
    `curl -s -X POST '${document.baseURI}api/projects/${project}/error_tracking/releases/'`,
    `-H "Authorization: Bearer $KEY"`,
    "-H 'Content-Type: application/json'",
    `-d "{\\"version\\": \\"1.0.0\\", \\"project\\": \\"shop\\", \\"hash_id\\": \\"$(git rev-parse HEAD)\\"}"`,
  ].join(" \\\n  ");

interface Git {
  readonly commit_id?: unknown;
  readonly branch?: unknown;
  readonly remote_url?: unknown;
}

const gitOf = ({ metadata }: Release): Git => (typeof metadata?.git === "object" && metadata.git !== null ? metadata.git : {});

const Commit = ({ release }: { readonly release: Release }) => {
  const { commit_id, branch } = gitOf(release);
  return (
    <>
      <code>{String(commit_id ?? release.hash_id).slice(0, 12)}</code> {typeof branch === "string" && <span class="soft">{branch}</span>}
    </>
  );
};

/** One release: what its build said, and how many issues it has. */
export const ReleasePage = ({ project, id }: ReleasesProps & { readonly id: string }) => {
  const release = useCall(retrieveRelease(project.id, id));
  const counted = useReleaseCounts(project)?.get(id);
  return (
    <Loaded of={release}>
      {(data) => {
        const { commit_id, branch, remote_url } = gitOf(data);
        const facts: readonly (readonly [string, unknown])[] = [
          ["Program", data.project],
          ["Commit", commit_id],
          ["Branch", branch],
          ["Repository", remote_url],
          ["Hash id", data.hash_id],
        ];
        return (
          <section class="release" aria-label={`Release ${data.version}`}>
            <h2>{data.version}</h2>
            <p>
              Made <Ago at={data.created_at} />.{" "}
              {counted
                ? `Its exceptions of the last ${EVENT_DAYS} days: ${numberText(counted.events)}, of ${counted.issues === 1 ? "1 issue" : `${numberText(counted.issues)} issues`}.`
                : `No exception of the last ${EVENT_DAYS} days names it.`}
            </p>
            <dl class="properties">
              {facts.flatMap(([name, value]) =>
                value === undefined
                  ? []
                  : [
                      <div key={name}>
                        <dt>{name}</dt>
                        <dd>
                          <code>{String(value)}</code> <CopyButton text={String(value)} label={`Copy ${name.toLowerCase()}`} />
                        </dd>
                      </div>,
                    ],
              )}
            </dl>
          </section>
        );
      }}
    </Loaded>
  );
};
