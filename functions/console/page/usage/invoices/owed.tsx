import { useCall } from "../../../calls/use-call.ts";
import { sumUsd, usdText } from "../../../parts/number/money.ts";
import { Answer } from "../answer.tsx";
import { FRESH_MS, type Invoice, readCredits, readPortal } from "../calls.ts";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";
import { isUnpaid, statusWord } from "./status.ts";

interface OwedProps extends PageProps {
  readonly invoices: readonly Invoice[];
}

/** What is owed, and where it is paid. */
export const Owed = ({ project, invoices }: OwedProps) => {
  const credits = useCall(readCredits(project.id), { freshMs: FRESH_MS });
  const unpaid = invoices.filter(isUnpaid);
  const isPending = credits.data?.status === "pending";
  if (unpaid.length === 0 && !isPending) return null;
  return (
    <section class="owed" aria-labelledby="owed">
      <h2 id="owed">To pay: {usdText(sumUsd(unpaid.map(({ amount_due_usd }) => amount_due_usd)))}</h2>
      <ul>
        {unpaid.map((invoice) => (
          <li key={invoice.id}>
            <a href={`project/${project.id}/usage/invoices/${encodeURIComponent(invoice.id)}`}>Invoice {invoice.number ?? invoice.id}</a>,{" "}
            {usdText(invoice.amount_due_usd)}, {statusWord(invoice)}
          </li>
        ))}
        {isPending && <li>Credit that was bought and is there once it is paid</li>}
      </ul>
      <Payment project={project} />
    </section>
  );
};

/** Where invoices are paid, as the API says it: to those who may pay. */
const Payment = ({ project }: PageProps) => {
  const { mayPay } = useOrganization(project);
  const portal = useCall(mayPay ? readPortal(project.id) : undefined, { freshMs: FRESH_MS });
  if (!mayPay) return <p class="soft">An owner or admin of the organization pays it.</p>;
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
