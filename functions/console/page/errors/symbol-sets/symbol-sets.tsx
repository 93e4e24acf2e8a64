import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Code } from "../../../parts/code/code.tsx";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Empty, Loaded, Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { useAddress } from "../../address.ts";
import { deleteSymbolSet, errorTrackingOf, listNewestFrames, listSymbolSets, PAGE, type SymbolSet } from "../calls.ts";
import { type Frame, isMinified } from "../issue/event.ts";
import { Pager, readPage } from "../pager.tsx";

interface SymbolSetsProps {
  readonly project: ReachedProject;
}

/** The maps that builds uploaded, the newest first, and how more are uploaded where frames lack theirs. */
export const SymbolSets = ({ project }: SymbolSetsProps) => {
  const page = readPage(useAddress());
  const sets = useCall(listSymbolSets(project.id, (page - 1) * PAGE));
  const { may } = useSession();
  const action = useAction();
  const columns: readonly Column<SymbolSet>[] = [
    { title: "Release", cell: ({ release }) => <span class="brief">{release?.version ?? "–"}</span> },
    { title: "Of", wide: true, cell: ({ ref }) => <code>{ref}</code> },
    { title: "Size", numeric: true, cell: ({ size }) => sizeText(size) },
    { title: "Uploaded", cell: ({ created_at }) => <Ago at={created_at} /> },
    {
      title: "Actions",
      cell: ({ id, ref }) =>
        may("error_tracking:write") && (
          <ConfirmButton
            title="Delete"
            label={`Delete ${ref}`}
            question="Frames that it resolved stay as they are. Delete it?"
            disabled={action.running}
            act={() => void action.run(deleteSymbolSet(project.id, id), errorTrackingOf(project.id))}
          />
        ),
    },
  ];
  return (
    <>
      {action.problem && <Problem problem={action.problem} />}
      <Loaded of={sets}>
        {({ count, results }) => (
          <>
            {count > 0 && <MissingMaps project={project} />}
            <Table
              label="Symbol sets"
              columns={columns}
              rows={results}
              keyOf={({ id }) => id}
              empty={
                <Empty title="No map was uploaded yet." command={uploadCommand(project.id)}>
                  <p>
                    Bundles are minified, and so are the frames of their exceptions. A build that uploads its source maps has them in the
                    names and lines of its sources. The key needs the scope <code>error_tracking:write</code>.
                  </p>
                </Empty>
              }
            />
            <Pager page={page} rows={PAGE} of={count} />
          </>
        )}
      </Loaded>
    </>
  );
};

/** Says how many of the newest frames lack a map; nothing where none does. */
const MissingMaps = ({ project }: SymbolSetsProps) => {
  const { data } = useCall(listNewestFrames(project.id));
  const frames = data?.results.map(({ contents }) => contents as unknown as Frame) ?? [];
  const missing = frames.filter(isMinified).length;
  if (missing === 0) return null;
  return (
    <section class="missing-maps" aria-label="Missing maps">
      <p>
        Of the newest {numberText(frames.length)} frames {missing === 1 ? "1 is" : `${numberText(missing)} are`} still minified: no map of
        their bundle was uploaded. A map that comes late resolves them, too.
      </p>
      <Code text={uploadCommand(project.id)} label="In a terminal" />
    </section>
  );
};

const uploadCommand = (project: number): string =>
  [
    `export POSTHOG_CLI_HOST='${document.baseURI.replace(/\/$/, "")}'`,
    `export POSTHOG_CLI_PROJECT_ID=${project} POSTHOG_CLI_API_KEY=$KEY`,
    "npx @posthog/cli sourcemap inject --directory ./dist",
    "npx @posthog/cli sourcemap upload --directory ./dist",
  ].join("\n");

const MB = 1_000_000;

const sizeText = (bytes: number): string => {
  return bytes < MB ? `${numberText(Math.ceil(bytes / 1_000))} KB` : `${numberText(Math.round(bytes / (MB / 10)) / 10)} MB`;
};
