import { useState } from "preact/hooks";
import { ApiProblem } from "../../../calls/problems.ts";
import { useAction } from "../../../calls/use-action.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { usdText } from "../../../parts/number/money.ts";
import { Problem } from "../../../parts/state/state.tsx";
import { BILLING, buyCredit, type Credits } from "../calls.ts";
import type { PageProps } from "../page-frame.tsx";
import { bestPurchase } from "./discount.ts";

interface CreditFormProps extends PageProps {
  readonly credits: Credits;
}

const METHODS = [
  { value: "send_invoice", title: "Send an invoice" },
  { value: "charge_automatically", title: "Charge the payment method" },
] as const;

/** Buys credit for a year, at the discount that so much credit has. */
export const CreditForm = ({ project, credits: { credit_brackets, estimated_monthly_credit_amount_usd: monthly } }: CreditFormProps) => {
  const action = useAction();
  const [text, setText] = useState("");
  const [method, setMethod] = useState<(typeof METHODS)[number]["value"]>("send_invoice");
  const [bought, setBought] = useState<string>();
  const usd = Number(text);
  const purchase = bestPurchase(credit_brackets, usd);
  const isAtField = action.problem instanceof ApiProblem && action.problem.attr === "annual_amount_usd";
  const buy = async (discount: number): Promise<void> => {
    setBought(undefined);
    const answer = await action.run(buyCredit(project.id, usd, discount, method), BILLING);
    if (answer === undefined) return;
    setText("");
    setBought(answer.status === "active" ? "The credit is there." : "The credit is there once it is paid.");
  };
  return (
    <form class="plan-form" aria-label="Buy credit" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="What to pay for a year's credit, in whole US dollars"
        type="number"
        value={text}
        change={setText}
        problem={isAtField ? action.problem?.message : undefined}
        hint={hint(monthly)}
      />
      <ChoiceField
        label="How it is paid"
        value={method}
        options={METHODS}
        change={(value) => setMethod(METHODS.find((each) => each.value === value)?.value ?? "send_invoice")}
      />
      <p class="note" aria-live="polite">
        {bought ??
          (purchase
            ? `Buys ${usdText(purchase.credit)} of credit${purchase.discount > 0 ? `, ${Math.round(purchase.discount * 100)} % off` : ""}.`
            : discounts(credit_brackets))}
      </p>
      {action.problem && !isAtField && <Problem problem={action.problem} />}
      <div class="row">
        <ConfirmButton
          title="Buy credit"
          question={`Buy credit for ${usdText(usd || 0)}?`}
          disabled={action.running || purchase === undefined}
          act={() => purchase && void buy(purchase.discount)}
        />
      </div>
    </form>
  );
};

const hint = (monthly: number | null): string | undefined =>
  monthly ? `At the pace of this period, a year costs about ${usdText(12 * monthly)}.` : undefined;

const discounts = (brackets: Credits["credit_brackets"]): string =>
  brackets
    .map(({ discount, annual_credit_from_inclusive: from }) => `${Math.round(discount * 100)} % off from ${usdText(from)} of credit`)
    .join(", ")
    .concat(".");
