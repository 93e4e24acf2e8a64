import { type CsvField, csvLine } from "../../../lib/core/csv.ts";
import type { ExactNumber } from "../../../lib/core/exact-json.ts";
import { formatUsd } from "../../../lib/core/money.ts";
import type { InvoiceForm } from "./wire.ts";

const COLUMNS = [
  "Invoice",
  "Status",
  "Period start",
  "Period end",
  "Issued",
  "Kind",
  "Product",
  "Plan",
  "Description",
  "Usage type",
  "Quantity",
  "Unit",
  "Late of",
  "Amount USD",
];

/** One entry of an invoice; its amount as it is added to what is to be paid. */
interface Entry {
  readonly kind: "line" | "coupon" | "tax" | "returned" | "credit" | "carried";
  readonly product?: string;
  readonly plan?: string;
  readonly description: string;
  readonly usageType?: string | null;
  readonly quantity?: number;
  readonly unit?: string | null;
  readonly lateOf?: string | null;
  readonly usd: string;
}

/** An invoice as a CSV file, a row for each entry: the amounts of all rows add up to what was to be paid. */
export const invoiceCsv = (invoice: InvoiceForm): string => {
  const { id, number, status, period_start, period_end, issued_at } = invoice;
  const shared = [number ?? id, status, period_start, period_end, issued_at ?? ""];
  return [COLUMNS, ...entries(invoice).map((entry) => [...shared, ...fields(entry)])].map((row) => `${csvLine(row)}\r\n`).join("");
};

const fields = ({ kind, product, plan, description, usageType, quantity, unit, lateOf, usd }: Entry): readonly CsvField[] => [
  kind,
  product ?? "",
  plan ?? "",
  description,
  usageType ?? "",
  quantity ?? "",
  unit ?? "",
  lateOf ?? "",
  exact(usd),
];

const entries = ({ lines, coupon_uses, tax_usd, credit_entries, returned_usd, carried_cents }: InvoiceForm): readonly Entry[] => [
  ...lines.map(
    (line): Entry => ({
      kind: "line",
      product: line.product,
      plan: line.plan_key,
      description: line.description,
      usageType: line.usage_type,
      ...(line.unit !== null && { quantity: line.quantity }),
      unit: line.unit,
      lateOf: line.late_of,
      usd: line.amount_usd,
    }),
  ),
  ...coupon_uses.map(({ campaign_name, amount_usd }): Entry => ({ kind: "coupon", description: campaign_name, usd: `-${amount_usd}` })),
  ...single("tax", "Tax", tax_usd),
  ...single("returned", "Given back as credit", returned_usd),
  ...credit_entries.map(
    ({ source, grant_id, amount_usd }): Entry => ({
      kind: "credit",
      description: `${source ?? "grant"} ${grant_id}`,
      usd: `-${amount_usd}`,
    }),
  ),
  ...single("carried", "Carried over to the next invoice", formatUsd(BigInt(-carried_cents))),
];

const single = (kind: Entry["kind"], description: string, usd: string): readonly Entry[] =>
  usd === "0.00" ? [] : [{ kind, description, usd }];

/** An amount keeps both of its places. */
const exact = (usd: string): ExactNumber => JSON.rawJSON(usd);
