import { numberText } from "../../../parts/number/number.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import type { FailingJob } from "../calls.ts";

const COLUMNS: readonly Column<FailingJob>[] = [
  { title: "Job", cell: ({ kind, partition }) => (partition === null ? kind : `${kind} ${partition}`) },
  { title: "What to do", wide: true, cell: ({ advice }) => advice },
  { title: "Attempts", numeric: true, cell: ({ attempts }) => numberText(attempts) },
  { title: "Fails since", cell: ({ since }) => <Ago at={since} /> },
  { title: "Next attempt", cell: ({ next_attempt_at }) => <Ago at={next_attempt_at} /> },
];

/** The project's jobs that fail, and what to do about each. */
export const Jobs = ({ jobs }: { readonly jobs: readonly FailingJob[] }) => (
  <section>
    <h2>Failing jobs</h2>
    <Table
      label="Failing jobs"
      columns={COLUMNS}
      rows={jobs}
      keyOf={({ kind, partition }) => `${kind} ${partition}`}
      empty={<p class="soft">None of this project.</p>}
    />
  </section>
);
