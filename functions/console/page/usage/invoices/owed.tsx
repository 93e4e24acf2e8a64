import { useCall } from "../../../calls/use-call.ts";
import { sumUsd, usdText } from "../../../parts/number/money.ts";
import { Answer } from "../answer.tsx";
import { FRESH_MS, type Receivable, readPortal, readReceivables } from "../calls.ts";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";
import { statusWord } from "./status.ts";

/** What is owed, and where it is paid. */
export const Owed = ({ project }: PageProps) => {
  const owed = useCall(readReceivables(project.id), { freshMs: FRESH_MS }).data?.results ?? [];
  if (owed.length === 0) return null;
  return (
    <section class="owed" aria-labelledby="owed">
      <h2 id="owed">To pay: {usdText(sumUsd(owed.map(({ amount_due_usd }) => amount_due_usd)))}</h2>
      <ul>
        {owed.map((receivable) => (
          <li key={receivable.id}>
            <Subject project={project} receivable={receivable} />, {usdText(receivable.amount_due_usd)}, {statusWord(receivable)}
          </li>
        ))}
      </ul>
      <Payment project={project} />
    </section>
  );
};

const Subject = ({ project, receivable: { kind, id, number } }: PageProps & { readonly receivable: Receivable }) =>
  kind === "invoice" ? (
    <a href={`project/${project.id}/usage/invoices/${encodeURIComponent(id)}`}>Invoice {number ?? id}</a>
  ) : (
    <>Credit that was bought</>
  );

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
