import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { usdText } from "../../../parts/number/money.ts";
import { Problem } from "../../../parts/state/state.tsx";
import { useZone } from "../../../parts/time/time.tsx";
import { Answer } from "../answer.tsx";
import { BILLING, cancelTrial, FRESH_MS, type Overview, readOverview } from "../calls.ts";
import { dayText } from "../days.ts";
import { Fact } from "../fact.tsx";
import { useOrganization } from "../organization.ts";
import { PAGES, type PageProps, UsageFrame } from "../page-frame.tsx";
import { Coupons } from "./coupons.tsx";
import { Credit } from "./credit.tsx";
import { ProductPlans } from "./product-plans.tsx";

/** What the organization is subscribed to, and what takes off what it pays. */
export const PlanAndCredit = ({ project }: PageProps) => {
  const call = readOverview(project.id);
  const overview = useCall(call, { freshMs: FRESH_MS });
  return (
    <UsageFrame project={project} page={PAGES.plan} call={call}>
      <Answer of={overview} lines={12}>
        {(data) => (
          <>
            <PlanFacts project={project} overview={data} />
            <ProductPlans project={project} overview={data} />
          </>
        )}
      </Answer>
      <Coupons project={project} />
      <Credit project={project} />
    </UsageFrame>
  );
};

interface OverviewProps extends PageProps {
  readonly overview: Overview;
}

const PlanFacts = ({ project, overview }: OverviewProps) => {
  const zone = useZone();
  const { name } = useOrganization(project);
  const { billing_plan, subscription_level, discount_percent, discount_amount_usd, startup_program_label, free_trial_until } = overview;
  return (
    <section class="plan-facts">
      <dl class="facts">
        <Fact name="Organization">{name}</Fact>
        <Fact name="Plan">{billing_plan ?? "free"}</Fact>
        <Fact name="Level">{subscription_level}</Fact>
        {discount_percent !== null && <Fact name="Discount">{discount_percent} %</Fact>}
        {discount_amount_usd !== null && <Fact name="Taken off">{usdText(discount_amount_usd)}</Fact>}
        {startup_program_label !== null && <Fact name="Startup program">{startup_program_label}</Fact>}
        {free_trial_until !== null && <Fact name="Free until">{dayText(free_trial_until, zone)}</Fact>}
      </dl>
      {overview.trial && <Trial project={project} trial={overview.trial} />}
    </section>
  );
};

const Trial = ({ project, trial }: PageProps & { readonly trial: NonNullable<Overview["trial"]> }) => {
  const zone = useZone();
  const { mayChange } = useOrganization(project);
  const action = useAction();
  return (
    <div class="row">
      <p>
        The trial of {trial.target} is {trial.status}; it ends {dayText(trial.expires_at, zone)}
        {trial.type === "autosubscribe" && ", and is paid for from then on"}.
      </p>
      {mayChange && trial.status === "active" && (
        <ConfirmButton
          title="End the trial"
          question="Each is had once. End it now?"
          disabled={action.running}
          act={() => void action.run(cancelTrial(project.id), BILLING)}
        />
      )}
      {action.problem && <Problem problem={action.problem} />}
    </div>
  );
};
