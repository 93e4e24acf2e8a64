/** Which organizations hold which plan of which product. */
export interface PlanHolders {
  add(product: string, plan_key: string, organization: string): PlanHolders;
  /** Ids of the organizations that hold a plan. */
  holding(product: string, plan_key: string): ReadonlySet<string>;
  /** Every plan that somebody holds, in the order in which they were met. */
  plans(): readonly { readonly product: string; readonly plan_key: string; readonly organizations: number }[];
}

export const planHolders = (): PlanHolders => {
  const held = new Map<string, Map<string, Set<string>>>();
  const holders: PlanHolders = {
    add(product, plan_key, organization) {
      const plans = held.get(product) ?? new Map<string, Set<string>>();
      held.set(product, plans.set(plan_key, (plans.get(plan_key) ?? new Set()).add(organization)));
      return holders;
    },
    holding: (product, plan_key) => held.get(product)?.get(plan_key) ?? NOBODY,
    plans: () =>
      [...held].flatMap(([product, plans]) => [...plans].map(([plan_key, { size }]) => ({ product, plan_key, organizations: size }))),
  };
  return holders;
};

const NOBODY: ReadonlySet<string> = new Set();
