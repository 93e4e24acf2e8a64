import { SortHead } from "./sort-head.tsx";
import { type Column, Table } from "./table.tsx";

interface Release {
  readonly version: string;
  readonly issues: number;
  readonly notes: string;
}

const COLUMNS: readonly Column<Release>[] = [
  { title: "Version", cell: ({ version }) => version },
  { title: "Notes", wide: true, cell: ({ notes }) => notes },
  { title: "Issues", numeric: true, cell: ({ issues }) => issues },
];

const ROWS: readonly Release[] = [
  { version: "1.4.0", notes: "Faster start", issues: 3 },
  { version: "1.3.12", notes: "A line that is so long that it has to be broken where the table ends. ".repeat(4), issues: 1200 },
];

const shared = { label: "Releases", columns: COLUMNS, keyOf: ({ version }: Release) => version };

export const states = {
  rows: () => <Table {...shared} rows={ROWS} />,
  "rows that lead somewhere, one of them open": () => (
    <Table {...shared} rows={ROWS} open="1.4.0" hrefOf={({ version }) => `project/1/errors?release=${version}`} />
  ),
  "columns that sort": () => (
    <section class="table" aria-label="Sorted">
      <table>
        <thead>
          <tr>
            <SortHead title="Version" href="project/1/errors?order=version" direction="ascending" />
            <SortHead title="Issues" href="project/1/errors?order=issues" direction="descending" numeric />
            <SortHead title="Made" href="project/1/errors?order=made" />
          </tr>
        </thead>
      </table>
    </section>
  ),
  "no rows": () => <Table {...shared} rows={[]} empty={<p>No release yet.</p>} />,
};
