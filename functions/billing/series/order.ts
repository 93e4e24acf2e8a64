import { createHash, createHmac } from "node:crypto";
import type { World } from "../../../lib/app/world.ts";
import { OBJECT_WORTH_PACKING, pack, unpack } from "../../../lib/core/pack.ts";
import { seriesOrderKey } from "../../../lib/lake/paths.ts";
import type { Subject, Whose } from "./lines.ts";

/**
 * The series of a question in the order that they had on its first page. Further pages follow it, so that a series which grows or shrinks
 * meanwhile is neither skipped nor shown twice.
 */
export interface SeriesOrder {
  /** By which it is found again. */
  readonly name: string;
  /** Digest of the question, of its range and of who may see what. */
  readonly question: string;
  readonly length: number;
  /** All whose series are in it. */
  readonly whose: readonly Whose[];
  slice(from: number, to: number): readonly Subject[];
  /** Proves that a place in it was given out here: nobody can make the seal of another place from those that they have seen. */
  seal(place: number): string;
}

/** An order as it is stored. Types and projects are named once; a place is the number of its project times the types, plus that of its type. */
interface StoredOrder {
  readonly question: string;
  readonly types: readonly (string | null)[];
  readonly whose: readonly Whose[];
  readonly places: readonly number[];
}

type Parts = Pick<World, "objects">;

/** Keeps an order for as long as exports are kept. The same order is the same object, however often its question is asked. */
export const keepOrder = async (
  { objects }: Parts,
  organization: string,
  question: string,
  ranked: readonly Subject[],
): Promise<SeriesOrder> => {
  const stored = storedOrder(question, ranked);
  const bytes = pack(stored, OBJECT_WORTH_PACKING);
  const order = openOrder(stored, digest(bytes));
  await objects.put(seriesOrderKey(organization, order.name), bytes);
  return order;
};

/** The order that an organization's question was given under a name; undefined where it is gone. */
export const readOrder = async ({ objects }: Parts, organization: string, name: string): Promise<SeriesOrder | undefined> => {
  const bytes = await objects.get(seriesOrderKey(organization, name));
  // Orders alone are kept under such names.
  return bytes === undefined ? undefined : openOrder(unpack(bytes) as StoredOrder, digest(bytes));
};

const storedOrder = (question: string, ranked: readonly Subject[]): StoredOrder => {
  const types = new Map<string | null, number>();
  const whose = new Map<Whose, number>();
  for (const subject of ranked) {
    if (!types.has(subject.type)) types.set(subject.type, types.size);
    if (!whose.has(subject.whose)) whose.set(subject.whose, whose.size);
  }
  const places = ranked.map((subject) => (whose.get(subject.whose) ?? 0) * types.size + (types.get(subject.type) ?? 0));
  return { question, types: [...types.keys()], whose: [...whose.keys()], places };
};

const digest = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** So many bytes of an order's digest name it. The others are told to nobody, and make the seals. */
const NAME_BYTES = 16;
const SEAL_CHARACTERS = 22;

const openOrder = ({ question, types, whose, places }: StoredOrder, hash: Buffer): SeriesOrder => {
  const subject = (place: number): Subject => ({
    type: types[place % types.length] ?? null,
    whose: whose[Math.floor(place / types.length)] ?? null,
  });
  return {
    name: hash.subarray(0, NAME_BYTES).toString("hex"),
    question,
    length: places.length,
    whose,
    slice: (from, to) => places.slice(from, to).map(subject),
    seal: (place) => createHmac("sha256", hash.subarray(NAME_BYTES)).update(String(place)).digest("base64url").slice(0, SEAL_CHARACTERS),
  };
};
