import { useCall } from "../../../calls/use-call.ts";
import { usdText } from "../../../parts/number/money.ts";
import { useZone } from "../../../parts/time/time.tsx";
import { Answer } from "../answer.tsx";
import { FRESH_MS, readCredits } from "../calls.ts";
import { dayText } from "../days.ts";
import { Fact } from "../fact.tsx";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";
import { CreditForm } from "./credit-form.tsx";

/** The credit that is left, and more of it to buy. */
export const Credit = ({ project }: PageProps) => {
  const credits = useCall(readCredits(project.id), { freshMs: FRESH_MS });
  const { mayChange } = useOrganization(project);
  const zone = useZone();
  return (
    <section class="plan-part">
      <h2>Credit</h2>
      <p class="note">Credit pays invoices before anything else does.</p>
      <Answer of={credits} lines={2}>
        {(overview) => (
          <>
            <dl class="facts">
              <Fact name="Left">{usdText(overview.balance_usd)}</Fact>
              <Fact name="Status">{overview.status}</Fact>
              {overview.expires_at !== null && <Fact name="Until">{dayText(overview.expires_at, zone)}</Fact>}
              {overview.invoice_url !== null && (
                <Fact name="Its invoice">
                  <a href={overview.invoice_url} target="_blank" rel="noreferrer">
                    At the payment provider
                  </a>
                </Fact>
              )}
            </dl>
            {mayChange && overview.eligible && <CreditForm project={project} credits={overview} />}
          </>
        )}
      </Answer>
    </section>
  );
};
