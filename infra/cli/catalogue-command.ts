import { type PriceListVersion, readPriceListVersions } from "../../lib/billing/price-list-versions.ts";
import { isoSeconds } from "../../lib/core/time.ts";
import { columns, type Run } from "./command.ts";

/** Lists the versions of the price list, and who holds what by them. */
export const listCatalogue: Run = async ({ world }) => {
  const versions = await readPriceListVersions(world);
  const held = versions.flatMap(({ number, held: plans }) =>
    plans.map(({ product, plan_key, organizations }) => [numberText(number), product, plan_key, String(organizations)]),
  );
  return {
    json: versions,
    lines: [
      ...columns(["number", "effective from", "state", "products", "replaces"], versions.map(versionRow)),
      "",
      ...(held.length === 0 ? ["Nobody holds a plan."] : columns(["number", "product", "plan", "organizations"], held)),
    ],
  };
};

const versionRow = ({ number, effective_from, state, products, replaces }: PriceListVersion): readonly string[] => [
  numberText(number),
  effective_from === null ? "the beginning" : isoSeconds(Date.parse(effective_from)),
  state.replace("_", " "),
  products.join(", "),
  Object.entries(replaces)
    .map(([old, fresh]) => `${old} -> ${fresh}`)
    .join(", "),
];

const numberText = (number: number | null): string => (number === null ? "built-in" : String(number));
