import { useCall } from "../../../calls/use-call.ts";
import { usdText } from "../../../parts/number/money.ts";
import { Empty } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { useZone } from "../../../parts/time/time.tsx";
import { Answer } from "../answer.tsx";
import { FRESH_MS, type Invoice, readInvoices } from "../calls.ts";
import { dayText, spanText } from "../days.ts";
import { useOrganization } from "../organization.ts";
import { PAGES, type PageProps, UsageFrame } from "../page-frame.tsx";
import { InvoiceDetail } from "./invoice-detail.tsx";
import { Owed } from "./owed.tsx";
import { statusWord } from "./status.ts";

/** The organization's invoices, and the one that is open. */
export const Invoices = ({ project, open }: PageProps & { readonly open: string | undefined }) => {
  const call = readInvoices(project.id);
  const invoices = useCall(call, { freshMs: FRESH_MS });
  const { name } = useOrganization(project);
  const zone = useZone();
  return (
    <UsageFrame project={project} page={PAGES.invoices} call={call}>
      <Owed project={project} />
      <Answer of={invoices}>
        {({ results = [], count, link }) => {
          const opened = results.find(({ id }) => id === open);
          if (count > 0 && results.length === 0) return <Elsewhere count={count} link={link} />;
          if (results.length === 0) return <NoInvoice name={name} />;
          return (
            <div class={opened ? "with-detail" : undefined}>
              <Table
                label={`Invoices of ${name}`}
                columns={columns(zone)}
                rows={results}
                keyOf={({ id }) => id}
                open={open}
                hrefOf={({ id }) => `project/${project.id}/usage/invoices/${encodeURIComponent(id)}`}
              />
              {opened && <InvoiceDetail key={opened.id} project={project} id={opened.id} />}
              {open !== undefined && !opened && <Empty title={`${name} has no invoice with this address.`} />}
            </div>
          );
        }}
      </Answer>
    </UsageFrame>
  );
};

const columns = (zone: string): readonly Column<Invoice>[] => [
  { title: "Number", cell: ({ id, number }) => <span class="unbroken">{number ?? id}</span> },
  {
    title: "Period",
    wide: true,
    cell: ({ period_start, period_end }) => <span class="roomy">{spanText(period_start, period_end, zone)}</span>,
  },
  { title: "Status", cell: (invoice) => <span class="unbroken">{statusWord(invoice)}</span> },
  { title: "Total", numeric: true, cell: ({ total_usd }) => usdText(total_usd) },
  { title: "To pay", numeric: true, cell: ({ amount_due_usd }) => usdText(amount_due_usd) },
  { title: "Issued", cell: ({ issued_at }) => <span class="unbroken">{issued_at === null ? "" : dayText(issued_at, zone)}</span> },
];

const NoInvoice = ({ name }: { readonly name: string }) => (
  <Empty title={`${name} has no invoice.`}>
    <p>
      One is made a week after each period in which something was subscribed. What the current period costs so far is under “This period”.
    </p>
  </Empty>
);

/** A billing service that keeps the invoices itself says only how many there are, and where. */
const Elsewhere = ({ count, link }: { readonly count: number; readonly link: string | null }) => (
  <Empty title={count === 1 ? "One invoice, kept by the billing service." : `${count} invoices, kept by the billing service.`}>
    {link !== null && (
      <p>
        <a href={link} target="_blank" rel="noreferrer">
          Look at them there
        </a>
      </p>
    )}
  </Empty>
);
