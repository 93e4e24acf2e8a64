import { useState } from "preact/hooks";
import { ApiProblem } from "../../calls/problems.ts";
import { useAction } from "../../calls/use-action.ts";
import { useCall } from "../../calls/use-call.ts";
import { ConfirmButton } from "../../parts/confirm/confirm.tsx";
import { TextField } from "../../parts/field/field.tsx";
import { usdText } from "../../parts/number/money.ts";
import { Problem } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { useZone } from "../../parts/time/time.tsx";
import { Answer } from "./answer.tsx";
import {
  BILLING,
  type Coupon,
  cancelTrial,
  claimCoupon,
  FRESH_MS,
  type Overview,
  readCoupons,
  readCredits,
  readOverview,
} from "./calls.ts";
import { dayText } from "./days.ts";
import { Fact } from "./fact.tsx";
import { useOrganization } from "./organization.ts";
import { PAGES, type PageProps, UsageFrame } from "./page-frame.tsx";
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

const Coupons = ({ project }: PageProps) => {
  const coupons = useCall(readCoupons(project.id), { freshMs: FRESH_MS });
  const { mayChange } = useOrganization(project);
  const zone = useZone();
  return (
    <section class="plan-part">
      <h2>Coupons</h2>
      <Answer of={coupons} lines={2}>
        {({ claimed_coupons }) => (
          <Table
            label="Claimed coupons"
            columns={couponColumns(zone)}
            rows={claimed_coupons}
            keyOf={({ code }) => code}
            empty={<p class="soft">No coupon was claimed.</p>}
          />
        )}
      </Answer>
      {mayChange && <ClaimForm project={project} />}
    </section>
  );
};

const couponColumns = (zone: string): readonly Column<Coupon>[] => [
  { title: "Coupon", cell: ({ campaign_name }) => <span class="unbroken">{campaign_name}</span> },
  { title: "Code", wide: true, cell: ({ code }) => <code>{code}</code> },
  { title: "Status", cell: ({ status }) => status },
  { title: "Claimed", cell: ({ claimed_at }) => <span class="unbroken">{dayText(claimed_at, zone)}</span> },
  { title: "Until", cell: ({ expires_at }) => <span class="unbroken">{expires_at === null ? "" : dayText(expires_at, zone)}</span> },
];

const ClaimForm = ({ project }: PageProps) => {
  const action = useAction();
  const [code, setCode] = useState("");
  const isAtField = action.problem instanceof ApiProblem && action.problem.status === 400;
  const claim = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (await action.run(claimCoupon(project.id, code.trim()), BILLING)) setCode("");
  };
  return (
    <form class="claim" onSubmit={(event) => void claim(event)}>
      <TextField
        label="Code of a coupon"
        name="code"
        autoComplete="off"
        value={code}
        change={setCode}
        problem={isAtField ? action.problem?.message : undefined}
      />
      <button type="submit" disabled={action.running}>
        Claim
      </button>
      {action.problem && !isAtField && <Problem problem={action.problem} />}
    </form>
  );
};

const Credit = ({ project }: PageProps) => {
  const credits = useCall(readCredits(project.id), { freshMs: FRESH_MS });
  const zone = useZone();
  return (
    <section class="plan-part">
      <h2>Credit</h2>
      <Answer of={credits} lines={2}>
        {({ balance_usd, status, expires_at, invoice_url }) => (
          <dl class="facts">
            <Fact name="Left">{usdText(balance_usd)}</Fact>
            <Fact name="Status">{status}</Fact>
            {expires_at !== null && <Fact name="Until">{dayText(expires_at, zone)}</Fact>}
            {invoice_url !== null && (
              <Fact name="Its invoice">
                <a href={invoice_url} target="_blank" rel="noreferrer">
                  At the payment provider
                </a>
              </Fact>
            )}
          </dl>
        )}
      </Answer>
      <p class="note">Credit pays invoices before anything else does.</p>
    </section>
  );
};
