import { useState } from "preact/hooks";
import { ApiProblem } from "../../../calls/problems.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { useZone } from "../../../parts/time/time.tsx";
import { Answer } from "../answer.tsx";
import { BILLING, type Coupon, claimCoupon, FRESH_MS, readCoupons } from "../calls.ts";
import { dayText } from "../days.ts";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";

/** What takes off what the organization pays. */
export const Coupons = ({ project }: PageProps) => {
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
