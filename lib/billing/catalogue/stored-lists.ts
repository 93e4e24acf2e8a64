import { cache, perOwner } from "../../core/cache.ts";
import { jsonDigest } from "../../core/canonical-json.ts";
import { pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Table } from "../../ports/table.ts";
import { getMany } from "../../table/store.ts";
import { BUILT_IN } from "./built-in-catalogue.ts";
import { type BillingCatalogue, ListedProducts, PriceList } from "./catalogue.ts";

/** The products of some versions, by the versions' ids. */
export type Lists = ReadonlyMap<string, PriceList>;

const LISTS_KEPT = 1_000;

/** What a version sells never changes, so each is read and understood once. */
const listsRead = perOwner((_: Table) => cache<string, PriceList>({ capacity: LISTS_KEPT }));

/** Reads the products of versions. */
export const readLists = async (table: Table, versions: readonly BillingCatalogue[]): Promise<Lists> => {
  const kept = listsRead(table);
  const lists = new Map<string, PriceList>();
  const unread: BillingCatalogue[] = [];
  for (const version of versions) {
    const known = kept.get(version.id) ?? ownList(version);
    if (known === undefined) unread.push(version);
    else lists.set(version.id, known);
  }
  for (const [id, found] of await readProducts(table, unread)) lists.set(id, found);
  for (const [id, found] of lists) kept.set(id, found);
  return lists;
};

const readProducts = async (table: Table, versions: readonly BillingCatalogue[]): Promise<Lists> => {
  const digests = [...new Set(versions.flatMap(({ products_digest }) => products_digest ?? []))];
  if (digests.length === 0) return new Map();
  // They were written before their version was, so that a consistent read finds them.
  const read = await getMany(
    table,
    ListedProducts,
    digests.map((digest) => ({ digest })),
    { consistent: true },
  );
  const found = new Map(read.map(({ digest, products }) => [digest, understood({ products: unpack(products) })]));
  return new Map(versions.map(({ id, products_digest }) => [id, found.get(products_digest ?? "") ?? missing(id)]));
};

const missing = (id: string): never => {
  throw new Defect(`the products of the price list ${id} are missing`);
};

/** The products of a version: as they were read, or in it. */
export const storedList = (version: BillingCatalogue, lists: Lists): PriceList =>
  lists.get(version.id) ?? ownList(version) ?? missing(version.id);

/** The products of a version that needs no others to tell them. */
const ownList = ({ document, products_digest }: BillingCatalogue): PriceList | undefined => {
  if (document !== undefined) return understood(document);
  return products_digest === undefined ? BUILT_IN : undefined;
};

/** A list that cannot even be read any more leaves the built-in prices under its own name. */
const understood = (document: unknown): PriceList => PriceList.safeParse(document).data ?? BUILT_IN;

/** The item that keeps the products of a list. */
export const productsItem = ({ products }: PriceList) => ({ digest: jsonDigest(products), products: pack(products) });
