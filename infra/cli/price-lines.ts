import { isoSeconds } from "../../lib/core/time.ts";
import type { PlannedChange } from "./apply/dry-run.ts";
import { columns } from "./command.ts";

type Prices = NonNullable<PlannedChange["price_list"]>;
type ProductChange = Prices["products"][number];
type FieldChange = ProductChange["fields"][number];

/** What a version of the price list changes, for people: when, for how many, and product by product what. */
export const priceLines = ({ number, effective_from, from_beginning, until, organizations, products }: Prices): readonly string[] => {
  const periods = from_beginning ? "all periods, also those that run" : `periods that begin at ${moment(effective_from)} or later`;
  const follows = until === null ? [] : [`From ${moment(until)} on a list that was applied before is in its place.`];
  const when = [`Price list ${number} is for ${periods}.`, ...follows];
  if (products.length === 0) return [...when, "It changes nothing that is sold then."];
  const who = `${organizations} ${organizations === 1 ? "organization holds" : "organizations hold"} plans that it changes.`;
  return [...when, who, "", ...columns(["", "product", "plan", "organizations", "changes"], products.flatMap(productRows))];
};

const moment = (iso: string): string => isoSeconds(Date.parse(iso));

const productRows = ({ product, change, fields, plans }: ProductChange): readonly (readonly string[])[] => [
  ...(change !== "change" || fields.length > 0 ? [[change, product, "", "", fieldsText(fields)]] : []),
  ...plans.map((plan) => {
    const becomes = plan.replaced_by === null ? [] : [`becomes ${plan.replaced_by}`];
    return [plan.change, product, plan.plan_key, String(plan.organizations), [...becomes, fieldsText(plan.fields)].join(", ")];
  }),
];

const fieldsText = (fields: readonly FieldChange[]): string =>
  fields.map(({ field, before, after }) => `${field}: ${shown(before)} -> ${shown(after)}`).join(", ");

const shown = (value: FieldChange["before"]): string => (value === null ? "none" : value === "" ? '""' : String(value));
