import { useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useAction } from "../../calls/use-action.ts";
import { useCall } from "../../calls/use-call.ts";
import { TextField } from "../../parts/field/field.tsx";
import { numberText } from "../../parts/number/number.tsx";
import { Empty, Loaded, Problem } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { Ago } from "../../parts/time/time.tsx";
import { useAddress } from "../address.ts";
import { errorTrackingOf, listSpikes, PAGE, type Spike, type SpikeConfig, setSpikeConfig, spikeConfig } from "./calls.ts";
import { Pager, readPage } from "./pager.tsx";
import { titleOf } from "./status.tsx";

/** Bursts of exceptions, the newest first, and what counts as one. */
export const SpikesPage = ({ project }: { readonly project: ReachedProject }) => {
  const page = readPage(useAddress());
  const spikes = useCall(listSpikes(project.id, (page - 1) * PAGE));
  const config = useCall(spikeConfig(project.id));
  return (
    <>
      <Loaded of={config} lines={2}>
        {(data) => <SpikeRule key={JSON.stringify(data)} project={project} config={data} />}
      </Loaded>
      <Loaded of={spikes}>
        {({ count, results }) => (
          <>
            <Table
              label="Spikes"
              columns={COLUMNS}
              rows={results}
              keyOf={({ id }) => id}
              hrefOf={({ issue }) => `project/${project.id}/errors/${issue.id}`}
              empty={
                <Empty title="No spike was seen.">
                  <p>An issue is listed here when it happens far more often than before, as said above.</p>
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

const COLUMNS: readonly Column<Spike>[] = [
  { title: "Issue", wide: true, cell: ({ issue }) => titleOf(issue) },
  { title: "Exceptions", numeric: true, cell: ({ current_bucket_value }) => numberText(current_bucket_value) },
  { title: "Usual", numeric: true, cell: ({ computed_baseline }) => numberText(computed_baseline) },
  { title: "When", cell: ({ detected_at }) => <Ago at={detected_at} /> },
];

const FIELDS = [
  ["multiplier", "Times the usual number", "How many times more than usual."],
  ["threshold", "Exceptions at least", "Fewer are never a spike."],
  ["snooze_duration_minutes", "Minutes of silence", "How long an issue is not told again."],
] as const;

const SpikeRule = ({ project, config }: { readonly project: ReachedProject; readonly config: SpikeConfig }) => {
  const { may } = useSession();
  const [draft, setDraft] = useState<Readonly<Record<keyof SpikeConfig, string>>>({
    multiplier: String(config.multiplier),
    threshold: String(config.threshold),
    snooze_duration_minutes: String(config.snooze_duration_minutes),
  });
  const action = useAction();
  const attr = action.problem && "attr" in action.problem ? action.problem.attr : null;
  const isChanged = FIELDS.some(([name]) => draft[name] !== String(config[name]));
  const sentence = `An issue spikes when it has at least ${numberText(config.threshold)} exceptions in five minutes and ${numberText(config.multiplier)} times as many as usual; then it is not told again for ${numberText(config.snooze_duration_minutes)} minutes.`;
  if (!may("error_tracking:write")) return <p>{sentence}</p>;
  const save = (): void => {
    const body = {
      multiplier: Number(draft.multiplier),
      threshold: Number(draft.threshold),
      snooze_duration_minutes: Number(draft.snooze_duration_minutes),
    };
    void action.run(setSpikeConfig(project.id, body), errorTrackingOf(project.id));
  };
  return (
    <form
      class="spike-rule"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <p>{sentence}</p>
      <div class="row">
        {FIELDS.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            type="number"
            value={draft[name]}
            change={(value) => setDraft({ ...draft, [name]: value })}
            problem={attr === name ? action.problem?.message : undefined}
          />
        ))}
      </div>
      {action.problem && attr === null && <Problem problem={action.problem} />}
      {isChanged && (
        <div class="choices">
          <button type="submit" class="primary" disabled={action.running}>
            Save
          </button>
        </div>
      )}
    </form>
  );
};
