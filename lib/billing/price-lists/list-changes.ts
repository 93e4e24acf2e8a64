import { allItems, findItem, type Item, type Plan, type PriceList } from "../catalogue/catalogue.ts";

type Scalar = string | number | boolean | null;

/** One value that another list says otherwise, such as `tiers[1].unit_amount_usd`; null where a list does not have it. */
export interface FieldChange {
  readonly field: string;
  readonly before: Scalar;
  readonly after: Scalar;
}

export interface PlanChange {
  readonly plan_key: string;
  readonly change: "add" | "change" | "drop" | "replace";
  /** The plan that takes its place. */
  readonly replaced_by: string | null;
  readonly fields: readonly FieldChange[];
  /** How many organizations hold it. */
  readonly organizations: number;
}

/** A product or an addon. */
export interface ProductChange {
  readonly product: string;
  readonly change: "add" | "change" | "drop";
  readonly fields: readonly FieldChange[];
  readonly plans: readonly PlanChange[];
}

/** How many organizations hold a plan of a product. */
export type Holders = (product: string, plan_key: string) => number;

/** All in which a list differs from the one before it, product by product; nothing of what stays. */
export const listChanges = (
  before: PriceList,
  after: PriceList,
  replaces: Readonly<Record<string, string>>,
  holders: Holders,
): readonly ProductChange[] => {
  const types = new Set([...allItems(before), ...allItems(after)].map(({ type }) => type));
  return [...types].flatMap((product): readonly ProductChange[] => {
    const [old, fresh] = [findItem(before, product), findItem(after, product)];
    const change = old === undefined ? "add" : fresh === undefined ? "drop" : "change";
    const fields = old === undefined || fresh === undefined ? [] : differences(ownFields(old), ownFields(fresh));
    const plans = planChanges(product, old?.plans ?? [], fresh?.plans ?? [], replaces, holders);
    return change === "change" && fields.length === 0 && plans.length === 0 ? [] : [{ product, change, fields, plans }];
  });
};

const planChanges = (
  product: string,
  before: readonly Plan[],
  after: readonly Plan[],
  replaces: Readonly<Record<string, string>>,
  holders: Holders,
): readonly PlanChange[] => {
  const [old, fresh] = [byKey(before), byKey(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((plan_key): readonly PlanChange[] => {
    const told = { plan_key, replaced_by: null, fields: [], organizations: holders(product, plan_key) };
    const plan = old.get(plan_key);
    if (plan === undefined) return [{ ...told, change: "add" }];
    const successor = fresh.get(replaces[plan_key] ?? "");
    if (successor !== undefined) {
      return [{ ...told, change: "replace", replaced_by: successor.plan_key, fields: differences(plan, { ...successor, plan_key }) }];
    }
    const same = fresh.get(plan_key);
    if (same === undefined) return [{ ...told, change: "drop" }];
    const fields = differences(plan, same);
    return fields.length === 0 ? [] : [{ ...told, change: "change", fields }];
  });
};

const byKey = (plans: readonly Plan[]): ReadonlyMap<string, Plan> => new Map(plans.map((plan) => [plan.plan_key, plan]));

/** What is said of a product itself. */
const ownFields = ({ plans: _plans, ...item }: Item): object => ("addons" in item ? { ...item, addons: [] } : item);

const differences = (before: object, after: object): readonly FieldChange[] => {
  const [old, fresh] = [new Map(leaves("", before)), new Map(leaves("", after))];
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((field) => ({ field, before: old.get(field) ?? null, after: fresh.get(field) ?? null }))
    .filter((each) => each.before !== each.after);
};

/** The single values of a value, each with its place. */
const leaves = (place: string, value: unknown): readonly (readonly [string, Scalar])[] => {
  if (Array.isArray(value)) return value.flatMap((each, at) => leaves(`${place}[${at}]`, each));
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([name, each]) => leaves(place === "" ? name : `${place}.${name}`, each));
  return isScalar(value) ? [[place, value]] : [];
};

const isScalar = (value: unknown): value is Scalar => value === null || ["string", "number", "boolean"].includes(typeof value);
