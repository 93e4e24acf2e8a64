import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { saveFile } from "../../../parts/file/file.ts";
import { usdText } from "../../../parts/number/money.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { useZone } from "../../../parts/time/time.tsx";
import { Answer } from "../answer.tsx";
import { exportInvoice, FRESH_MS, type InvoiceDetails, type InvoiceLine, readInvoice } from "../calls.ts";
import { dayText, spanText } from "../days.ts";
import { Fact } from "../fact.tsx";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";
import { InvoiceSums } from "./invoice-sums.tsx";
import { statusWord } from "./status.ts";

/** One invoice: what was charged, what took off it, and what is left to pay. Made to be printed as well. */
export const InvoiceDetail = ({ project, id }: PageProps & { readonly id: string }) => {
  const invoice = useCall(readInvoice(project.id, id), { freshMs: FRESH_MS });
  return (
    <section class="invoice" aria-label="Invoice">
      <Answer of={invoice} lines={12}>
        {(data) => <Shown project={project} invoice={data} />}
      </Answer>
    </section>
  );
};

interface ShownProps extends PageProps {
  readonly invoice: InvoiceDetails;
}

const Shown = ({ project, invoice }: ShownProps) => {
  const zone = useZone();
  const organization = useOrganization(project);
  const { number, id, issued_at, paid_at, period_start, period_end, lines, payments, note } = invoice;
  return (
    <>
      <header>
        <h2>Invoice {number ?? id}</h2>
        <div class="row">
          <button type="button" onClick={() => print()}>
            Print
          </button>
          <SaveButton project={project} invoice={invoice} />
          <a href={`project/${project.id}/usage/invoices`}>Close</a>
        </div>
      </header>
      <dl class="facts">
        <Fact name="For">{organization.name}</Fact>
        <Fact name="Status">{statusWord(invoice)}</Fact>
        <Fact name="Period">{spanText(period_start, period_end, zone)}</Fact>
        {issued_at !== null && <Fact name="Issued">{dayText(issued_at, zone)}</Fact>}
        {paid_at !== null && <Fact name="Paid">{dayText(paid_at, zone)}</Fact>}
      </dl>
      <Table
        label="Lines"
        columns={lineColumns(zone)}
        rows={lines.map((line, place) => ({ ...line, place }))}
        keyOf={({ place }) => place}
        empty={<p class="soft">Nothing was charged.</p>}
      />
      <InvoiceSums invoice={invoice} />
      {payments.length > 0 && (
        <Table label="Payments" columns={paymentColumns(zone)} rows={payments} keyOf={({ id: payment }) => payment} />
      )}
      {note !== null && <p class="note">{note}</p>}
    </>
  );
};

const lineColumns = (zone: string): readonly Column<InvoiceLine & { readonly place: number }>[] => [
  {
    title: "Charged",
    wide: true,
    cell: ({ description, plan_key, late_of }) => (
      <>
        {description}
        {plan_key !== "" && (
          <span class="note">
            {" "}
            {plan_key}
            {late_of !== null && `, of the period from ${dayText(late_of, zone)}`}
          </span>
        )}
      </>
    ),
  },
  {
    title: "Quantity",
    numeric: true,
    cell: ({ quantity, unit }) => (
      <span class="unbroken">{unit !== null && `${numberText(quantity)} ${quantity === 1 ? unit : `${unit}s`}`}</span>
    ),
  },
  { title: "US dollars", numeric: true, cell: ({ amount_usd }) => <span class="unbroken">{usdText(amount_usd)}</span> },
];

const paymentColumns = (zone: string): readonly Column<InvoiceDetails["payments"][number]>[] => [
  { title: "Payment", cell: ({ created_at, settled_at }) => <span class="unbroken">{dayText(settled_at ?? created_at, zone)}</span> },
  {
    title: "State",
    wide: true,
    cell: ({ status, error, refunded_usd }) =>
      [status, ...(error === null ? [] : [error]), ...(refunded_usd === "0.00" ? [] : [`${usdText(refunded_usd)} refunded`])].join(", "),
  },
  { title: "US dollars", numeric: true, cell: ({ amount_usd }) => <span class="unbroken">{usdText(amount_usd)}</span> },
];

const SaveButton = ({ project, invoice: { id, number } }: ShownProps) => {
  const action = useAction();
  const save = async (): Promise<void> => {
    const file = await action.run(exportInvoice(project.id, id));
    if (file) saveFile(`${number ?? id}.csv`, file);
  };
  return (
    <>
      <button type="button" disabled={action.running} onClick={() => void save()}>
        CSV
      </button>
      {action.problem && <Problem problem={action.problem} />}
    </>
  );
};
