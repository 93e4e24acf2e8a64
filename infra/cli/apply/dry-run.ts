import type { PlannedPriceList } from "../../../lib/billing/price-lists.ts";
import { canonicalJson } from "../../../lib/core/canonical-json.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { Users } from "../../../lib/organizations/users.ts";
import type { Item, Table } from "../../../lib/ports/table.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { RESERVED_ATTRIBUTES } from "../../../lib/table/layout.ts";
import * as store from "../../../lib/table/store.ts";
import { checkDocument } from "./apply.ts";
import { type ItemChange, openDraft } from "./draft-table.ts";
import type { Parts } from "./parts.ts";
import { applyAll, draftKeys, draftOf } from "./queries.ts";

/** Something that applying a document would make or change. */
export interface PlannedChange {
  readonly change: "make" | "change" | "remove";
  /** `organization`, `domain`, `personal-api-key`, … */
  readonly what: string;
  readonly name: string;
  /** The project or organization that it belongs to. */
  readonly of: string;
  /** The attributes of it that would change. */
  readonly attributes: readonly string[];
  /** What a version of the price list changes, of a version alone. */
  readonly price_list?: PlannedPrices;
}

/** The changes that applying the document would make. It is applied to a draft, so nothing is written. Throws `DocumentProblem` as applying does. */
export const planDocument = async (parts: Parts, json: unknown): Promise<readonly PlannedChange[]> => {
  const checked = await checkDocument(parts, json);
  const { table, changes } = openDraft(parts.table);
  await applyAll(draftOf({ ...parts, table, tokenKeys: draftKeys(parts) }), checked);
  const planned: PlannedChange[] = [];
  for (const each of changes()) {
    const change = await plannedChange(table, each);
    if (change !== undefined) planned.push(change);
  }
  return checked.priceList === undefined ? planned : [...planned, plannedPrices(checked.priceList)];
};

/** Items that are told otherwise, or that only serve others. */
const SERVING: ReadonlySet<string> = new Set(["unique", "project-token", "team-secret-token", "price-list-products", "billing-catalogue"]);

interface PlannedPrices {
  readonly number: number;
  readonly effective_from: string;
  /** Whether it is in force at once, also for periods that run. */
  readonly from_beginning: boolean;
  /** When a list that was applied before comes into its place; null where none waits. */
  readonly until: string | null;
  /** How many organizations hold a plan that does not stay as it is. */
  readonly organizations: number;
  readonly products: PlannedPriceList["changes"];
}

const plannedPrices = ({ version, until, changes, organizations }: PlannedPriceList): PlannedChange => {
  const { id, number, effective_from, from_beginning } = version;
  const price_list = { number, effective_from, from_beginning, until, organizations, products: changes };
  return { change: "make", what: "price-list", name: id, of: "", attributes: [], price_list };
};

const plannedChange = async (table: Table, { before, after }: ItemChange): Promise<PlannedChange | undefined> => {
  const item = after ?? before;
  if (typeof item?.entity !== "string" || SERVING.has(item.entity)) return undefined;
  const attributes = before === undefined || after === undefined ? [] : differences(before, after);
  if (before !== undefined && after !== undefined && attributes.length === 0) return undefined;
  const change = before === undefined ? "make" : after === undefined ? "remove" : "change";
  return { change, what: item.entity, name: await nameIn(table, item), of: await ownerIn(table, item), attributes };
};

/** Change with every write, and say nothing. */
const MOMENTS: ReadonlySet<string> = new Set(["updated_at", "updated"]);

const differences = (before: Item, after: Item): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => !RESERVED_ATTRIBUTES.has(name) && !MOMENTS.has(name))
    .filter((name) => canonicalJson(before[name] ?? null) !== canonicalJson(after[name] ?? null))
    .sort();

/** The attributes that people know things by, the most telling first. */
const NAMES = ["email", "domain", "label", "external_id", "code", "slug", "name", "version", "kind"] as const;

const nameIn = async (table: Table, item: Item): Promise<string> => {
  const name = item.entity === "organization" ? item.name : NAMES.map((each) => item[each]).find((value) => typeof value === "string");
  if (typeof name === "string") return name;
  return typeof item.user_id === "number" ? ((await store.get(table, Users, { id: item.user_id }))?.email ?? "") : "";
};

const ownerIn = async (table: Table, item: Item): Promise<string> => {
  const project = item.entity === "project-quota" ? Number(item.pk.split("#")[1]) : item.project_id;
  if (typeof project === "number") return (await store.get(table, Projects, { id: project }))?.name ?? "";
  if (typeof item.organization_id === "string") return (await store.get(table, Organizations, { id: item.organization_id }))?.name ?? "";
  return typeof item.user_id === "number" ? ((await store.get(table, Users, { id: item.user_id }))?.email ?? "") : "";
};
