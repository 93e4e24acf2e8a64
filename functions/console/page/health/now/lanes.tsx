import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { type Lane, redrive } from "../calls.ts";

/** What each lane carries. */
const CARRIES: Readonly<Record<Lane["name"], string>> = {
  live: "Events as they happen",
  historical: "Imports of older events",
  jobs: "Compaction, usage and other work on what is stored",
};

interface LanesProps {
  readonly project: number;
  readonly lanes: readonly Lane[];
  readonly mayRedrive: boolean;
}

/** What waits in each lane, and what was given up on; that can be sent back. */
export const Lanes = ({ project, lanes, mayRedrive }: LanesProps) => {
  const action = useAction();
  const [done, setDone] = useState("");
  const sendBack = async (lane: Lane["name"]): Promise<void> => {
    setDone("");
    const result = await action.run(redrive(project, lane), `api/projects/${project}/health`);
    if (result) setDone(sentBack(result));
  };
  const columns: readonly Column<Lane>[] = [
    {
      title: "Lane",
      wide: true,
      cell: ({ name }) => (
        <>
          {name}
          <br />
          <span class="note">{CARRIES[name]}</span>
        </>
      ),
    },
    { title: "Waiting", numeric: true, cell: ({ waiting }) => numberText(waiting) },
    { title: "In flight", numeric: true, cell: ({ in_flight }) => numberText(in_flight) },
    {
      title: "Dead letters",
      numeric: true,
      cell: ({ name, dead_letters }) =>
        dead_letters === 0 ? (
          "0"
        ) : (
          <span class="dead-letters">
            <strong>{numberText(dead_letters)}</strong>
            {mayRedrive && (
              <button type="button" disabled={action.running} onClick={() => void sendBack(name)}>
                Redrive<span class="hidden"> the {name} lane</span>
              </button>
            )}
          </span>
        ),
    },
  ];
  return (
    <section>
      <h2>Lanes</h2>
      <Table label="Lanes" columns={columns} rows={lanes} keyOf={({ name }) => name} />
      <p role="status">{done}</p>
      {action.problem && <Problem problem={action.problem} />}
      <p class="note">
        In messages. All projects of the platform share the lanes. A redrive sends dead letters back to be tried anew; events that are
        stored already are not stored twice.
      </p>
    </section>
  );
};

const sentBack = ({ lane, moved, has_more }: { readonly lane: string; readonly moved: number; readonly has_more: boolean }): string => {
  const what = `${numberText(moved)} ${moved === 1 ? "message was" : "messages were"} sent back to the ${lane} lane.`;
  return has_more ? `${what} There are more: redrive again.` : what;
};
