interface OrderedRule {
  readonly id: string;
  readonly order_key: number;
  readonly created_at: string;
}

/** Rules in the order in which they are asked: the least `order_key` first, then the oldest rule. */
export const inRuleOrder = <R extends OrderedRule>(rules: readonly R[]): readonly R[] =>
  rules.toSorted((a, b) => a.order_key - b.order_key || (`${a.created_at}#${a.id}` < `${b.created_at}#${b.id}` ? -1 : 1));
