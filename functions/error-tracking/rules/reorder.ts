import * as z from "zod";
import { conflict } from "../../../lib/http/errors.ts";
import { integer } from "../../../lib/http/fields.ts";
import { ConditionFailed, type Table, type Write } from "../../../lib/ports/table.ts";
import { transact } from "../../../lib/table/transact.ts";

const LEAST_INTEGER = -2_147_483_648;
const MOST_INTEGER = 2_147_483_647;

/** A place in the order in which rules are asked. */
export const orderKey = () => integer({ min: LEAST_INTEGER, max: MOST_INTEGER });

export const OrdersBody = z.object({ orders: z.record(z.string(), orderKey()) }).meta({ id: "ErrorTrackingRuleOrders" });

export const ORDERS_EXAMPLE = { orders: { "0190d0aa-0000-7000-8000-000000000001": 1, "0190d0aa-0000-7000-8000-000000000002": 2 } };

export interface OrderedRule {
  readonly id: string;
  readonly order_key: number;
  readonly created_at: string;
}

/** Rules in the order in which they are asked. */
export const inOrder = <R extends OrderedRule>(rules: readonly R[]): readonly R[] => rules.toSorted(byOrder);

const byOrder = (a: OrderedRule, b: OrderedRule): number =>
  a.order_key - b.order_key || (`${a.created_at}#${a.id}` < `${b.created_at}#${b.id}` ? -1 : 1);

/** Writes of one transaction at most. */
const AT_ONCE = 100;

/** Tries while rules are deleted at the same moment. */
const TRIES = 3;

/** Gives the named rules their places; ids that name no rule of the project count for nothing. */
export const reorder = async (
  table: Table,
  orders: Readonly<Record<string, number>>,
  rules: () => Promise<readonly OrderedRule[]>,
  placing: (id: string, order_key: number) => Write,
): Promise<void> => {
  const wanted = new Map(Object.entries(orders).map(([id, order]) => [id.toLowerCase(), order]));
  for (let tries = 1; ; tries += 1) {
    const moved = (await rules()).flatMap(({ id, order_key }) => {
      const order = wanted.get(id);
      return order === undefined || order === order_key ? [] : [placing(id, order)];
    });
    try {
      for (let at = 0; at < moved.length; at += AT_ONCE) await transact(table, moved.slice(at, at + AT_ONCE));
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (tries === TRIES) throw conflict("Rules are being deleted at this moment. Try again.");
    }
  }
};
