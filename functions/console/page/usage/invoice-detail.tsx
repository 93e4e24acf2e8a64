import { useCall } from "../../calls/use-call.ts";
import { sumUsd, usdText } from "../../parts/number/money.ts";
import { type Column, Table } from "../../parts/table/table.tsx";
import { useZone } from "../../parts/time/time.tsx";
import { Answer } from "./answer.tsx";
import { FRESH_MS, type Invoice, readPortal, readSeries, type SeriesAnswer } from "./calls.ts";
import { dayText, spanText } from "./days.ts";
import { Fact } from "./fact.tsx";
import { isUnpaid, statusWord } from "./invoice-status.ts";
import type { PageProps } from "./page-frame.tsx";

interface InvoiceProps extends PageProps {
  readonly invoice: Invoice;
}

const DAY_MS = 86_400_000;

/** The days of a period as a question for its spend: its end is the moment after its last day. */
const ofPeriod = ({ period_start, period_end }: Invoice) =>
  ({
    date_from: period_start.slice(0, 10),
    date_to: new Date(Date.parse(period_end) - DAY_MS).toISOString().slice(0, 10),
    interval: "month",
    breakdowns: ["type"],
  }) as const;

/** One invoice: what it comes to, and what was spent in its period. */
export const InvoiceDetail = ({ project, invoice }: InvoiceProps) => {
  const zone = useZone();
  const spend = useCall(readSeries(project.id, "spend", ofPeriod(invoice)), { freshMs: FRESH_MS });
  const { number, id, total_usd, amount_due_usd, issued_at, paid_at, period_start, period_end } = invoice;
  return (
    <section class="invoice" aria-label={`Invoice ${number ?? id}`}>
      <header>
        <h2>Invoice {number ?? id}</h2>
        <a href={`project/${project.id}/usage/invoices`}>Close</a>
      </header>
      <dl class="facts">
        <Fact name="Status">{statusWord(invoice)}</Fact>
        <Fact name="Period">{spanText(period_start, period_end, zone)}</Fact>
        <Fact name="Total">{usdText(total_usd)}</Fact>
        <Fact name="To pay">{usdText(amount_due_usd)}</Fact>
        {issued_at !== null && <Fact name="Issued">{dayText(issued_at, zone)}</Fact>}
        {paid_at !== null && <Fact name="Paid">{dayText(paid_at, zone)}</Fact>}
      </dl>
      {isUnpaid(invoice) && <Payment project={project} />}
      <h3>Spent in its period</h3>
      <Answer of={spend} lines={4}>
        {({ results }) => (
          <Table
            label="Spent in its period"
            columns={LINES}
            rows={results}
            keyOf={({ id: line }) => line}
            empty={<p class="soft">Nothing was spent in its period.</p>}
          />
        )}
      </Answer>
      <p class="note">Before coupons, credits and tax, which the total and what is to pay take into account.</p>
    </section>
  );
};

const LINES: readonly Column<SeriesAnswer["results"][number]>[] = [
  { title: "Product", wide: true, cell: ({ label }) => label },
  { title: "US dollars", numeric: true, cell: ({ data }) => usdText(sumUsd(data)) },
];

/** Where invoices are paid, as the API says it. */
const Payment = ({ project }: PageProps) => {
  const portal = useCall(readPortal(project.id), { freshMs: FRESH_MS });
  return (
    <Answer of={portal} lines={1}>
      {({ url }) =>
        url === null ? (
          <p class="soft">This deployment has no page where invoices are paid; whoever runs it says how to.</p>
        ) : (
          <p>
            <a href={url} target="_blank" rel="noreferrer">
              Pay at the payment provider
            </a>
          </p>
        )
      }
    </Answer>
  );
};
