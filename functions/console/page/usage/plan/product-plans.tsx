import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { ChoiceField } from "../../../parts/field/field.tsx";
import { usdText } from "../../../parts/number/money.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { type Addon, BILLING, type Overview, type Plan, type Product, startTrial, subscribe, switchPlan, unsubscribe } from "../calls.ts";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";

interface ProductPlansProps extends PageProps {
  readonly overview: Overview;
}

type Item = Product | Addon;

/** Every product and addon with its plan; one of them is open, to be changed. */
export const ProductPlans = ({ project, overview }: ProductPlansProps) => {
  const { mayChange } = useOrganization(project);
  const address = useAddress();
  const items: readonly Item[] = overview.products.flatMap((product) => [product, ...product.addons]);
  const opened = mayChange ? items.find(({ type }) => type === address.query.get("product")) : undefined;
  return (
    <div class={opened ? "with-detail" : undefined}>
      <Table
        label="Plans by product"
        columns={COLUMNS}
        rows={items}
        keyOf={({ type }) => type}
        open={opened?.type}
        {...(mayChange && { hrefOf: ({ type }: Item) => withQuery(address, { product: type }) })}
      />
      {opened && <PlanForm key={opened.type} project={project} overview={overview} item={opened} />}
    </div>
  );
};

const COLUMNS: readonly Column<Item>[] = [
  { title: "Product", cell: ({ name }) => <span class="unbroken">{name}</span> },
  { title: "Plan", cell: (item) => <span class="unbroken">{currentPlan(item)?.name ?? "not subscribed"}</span> },
  { title: "Price", wide: true, cell: (item) => <span class="roomy">{priceText(item, currentPlan(item) ?? item.plans[0])}</span> },
];

const currentPlan = ({ plans }: Item): Plan | undefined => plans.find(({ current_plan }) => current_plan);

/** What a plan costs: a fee, what is free, and the price of the first unit after that. */
const priceText = ({ unit }: Item, plan: Plan | undefined): string => {
  if (plan === undefined) return "";
  const first = plan.tiers?.find(({ unit_amount_usd }) => Number(unit_amount_usd) > 0);
  const free = plan.free_allocation ?? plan.tiers?.find(({ unit_amount_usd }) => Number(unit_amount_usd) === 0)?.up_to;
  return [
    ...(plan.flat_rate && plan.unit_amount_usd !== null && !plan.is_free ? [`${usdText(plan.unit_amount_usd)} a month`] : []),
    ...(free != null ? [`${numberText(free)}${unit === null ? "" : ` ${unit}s`} free`] : []),
    ...(first ? [`then ${usdText(first.unit_amount_usd)} each, less for more`] : []),
  ].join(", ");
};

const PlanForm = ({ project, overview, item }: ProductPlansProps & { readonly item: Item }) => {
  const address = useAddress();
  const action = useAction();
  const current = currentPlan(item);
  // What is kept only for those who have it can be ended and nothing else.
  const offered = item.plans.filter(({ contact_support }) => !contact_support && item.legacy_product !== true);
  const [chosen, setChosen] = useState((offered.find((plan) => plan !== current) ?? offered[0])?.plan_key ?? "");
  const close = (): void => go(withQuery(address, { product: undefined }), { replace: true });
  const run = async (call: Parameters<typeof action.run>[0]): Promise<void> => {
    if (await action.run(call, BILLING)) close();
  };
  const change = (event: Event): void => {
    event.preventDefault();
    const isSwitch = item.subscribed && current !== undefined;
    void run(isSwitch ? switchPlan(project.id, item.type, current.plan_key, chosen) : subscribe(project.id, item.type, chosen));
  };
  return (
    <form class="plan-form" aria-label={`Plan of ${item.name}`} onSubmit={change}>
      <h2>{item.name}</h2>
      {offered.length === 0 && (
        <p class="soft">
          {item.legacy_product ? "It is not sold any more." : "Its plans are agreed upon with whoever runs this platform."}
        </p>
      )}
      {offered.length > 1 && (
        <ChoiceField
          label="Plan"
          value={chosen}
          change={setChosen}
          options={offered.map((plan) => ({
            value: plan.plan_key,
            title: plan.name,
          }))}
        />
      )}
      <p class="note">
        {priceText(
          item,
          offered.find(({ plan_key }) => plan_key === chosen),
        )}
      </p>
      {action.problem && <Problem problem={action.problem} />}
      <div class="row">
        {(offered.length > 1 || (offered.length === 1 && !item.subscribed)) && (
          <button type="submit" class="primary" disabled={action.running || chosen === current?.plan_key}>
            {item.subscribed ? "Switch the plan" : "Subscribe"}
          </button>
        )}
        {item.subscribed && (
          <ConfirmButton
            title="Unsubscribe"
            question="It ends with the period. End it?"
            disabled={action.running}
            act={() => void run(unsubscribe(project.id, item.type))}
          />
        )}
        {item.trial && !item.subscribed && overview.trial?.status !== "active" && (
          <button type="button" disabled={action.running} onClick={() => void run(startTrial(project.id, item.type))}>
            Try it for {item.trial.length} days
          </button>
        )}
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};
