import { byteOrder } from "../../core/byte-order.ts";
import { Defect, unreachable } from "../../core/unreachable.ts";
import type { Change, Condition, Item, Key, Query, Value, Write } from "../../ports/table.ts";
import { INDEX_LAYOUT, PRIMARY } from "../layout.ts";

/** The parameters of each call, made without a client so that they can be looked at. */

export type StoredItem = Readonly<Record<string, Value>>;

export const getParams = (table: string, key: Key, consistent: boolean) => ({
  TableName: table,
  Key: keyOnly(key),
  ConsistentRead: consistent,
});

export const getManyParams = (table: string, keys: readonly Key[], consistent: boolean) => ({
  RequestItems: { [table]: { Keys: keys.map(keyOnly), ConsistentRead: consistent } },
});

export const putParams = (table: string, item: Item, when: Condition | undefined) => ({
  TableName: table,
  Item: stored(item),
  ...conditioned(new Names(), when),
});

export const removeParams = (table: string, key: Key, when: Condition | undefined) => ({
  TableName: table,
  Key: keyOnly(key),
  ...conditioned(new Names(), when),
});

export const updateParams = (table: string, key: Key, change: Change, when: Condition | undefined) => {
  const names = new Names();
  const update = updateExpression(names, change);
  return {
    TableName: table,
    Key: keyOnly(key),
    ...(update !== "" && { UpdateExpression: update }),
    ...conditioned(names, when),
  };
};

/** Undefined for a range that holds nothing, which DynamoDB would refuse. */
export const queryParams = (table: string, query: Query) => {
  const { pk, sk } = query.index === undefined ? PRIMARY : INDEX_LAYOUT[query.index];
  const names = new Names();
  const conditions = [`${names.name(pk)} = ${names.value(query.pk)}`];
  if (query.sk && "prefix" in query.sk) {
    if (query.sk.prefix !== "") conditions.push(`begins_with(${names.name(sk)}, ${names.value(query.sk.prefix)})`);
  } else if (query.sk) {
    const { from = "", to } = query.sk;
    if (to !== undefined && (to === "" || byteOrder(from, to) > 0)) return undefined;
    if (from !== "" && to !== undefined) conditions.push(`${names.name(sk)} BETWEEN ${names.value(from)} AND ${names.value(to)}`);
    else if (from !== "") conditions.push(`${names.name(sk)} >= ${names.value(from)}`);
    else if (to !== undefined) conditions.push(`${names.name(sk)} <= ${names.value(to)}`);
  }
  return {
    TableName: table,
    KeyConditionExpression: conditions.join(" AND "),
    ...names.attributes(),
    ...(query.index !== undefined && { IndexName: query.index }),
    ...(query.descending === true && { ScanIndexForward: false }),
    ...(query.limit !== undefined && { Limit: query.limit }),
    ...(query.consistent === true && { ConsistentRead: true }),
    ...(query.countOnly === true && { Select: "COUNT" as const }),
    ...(query.cursor && { ExclusiveStartKey: decodeCursor(query.cursor) }),
  };
};

export const transactParams = (table: string, writes: readonly Write[], token: string) => ({
  ClientRequestToken: token,
  TransactItems: writes.map((write) => transactItem(table, write)),
});

const transactItem = (table: string, write: Write) => {
  switch (write.kind) {
    case "put":
      return { Put: putParams(table, write.item, write.when) };
    case "update": {
      const { UpdateExpression, ...rest } = updateParams(table, write.key, write.change, write.when);
      if (UpdateExpression === undefined) throw new Defect("an update in a transaction must change something");
      return { Update: { ...rest, UpdateExpression } };
    }
    case "remove":
      return { Delete: removeParams(table, write.key, write.when) };
    case "check": {
      const { ConditionExpression, ...rest } = removeParams(table, write.key, write.when);
      if (ConditionExpression === undefined) throw new Defect("a check needs a condition");
      return { ConditionCheck: { ...rest, ConditionExpression } };
    }
    default:
      return unreachable(write);
  }
};

/** A cursor is the key that DynamoDB gave, as text: the way from one page to the next, not a thing to store. */
export const encodeCursor = (key: Readonly<Record<string, unknown>> | undefined): string | null =>
  key === undefined ? null : Buffer.from(JSON.stringify(key)).toString("base64url");

const decodeCursor = (cursor: string): Record<string, unknown> => JSON.parse(Buffer.from(cursor, "base64url").toString());

/** Collects the placeholders of one call's expressions. */
class Names {
  readonly #names = new Map<string, string>();
  readonly #values: Value[] = [];

  name(attribute: string): string {
    const known = this.#names.get(attribute) ?? `#${this.#names.size}`;
    this.#names.set(attribute, known);
    return known;
  }

  value(value: Value): string {
    this.#values.push(present(value));
    return `:${this.#values.length - 1}`;
  }

  attributes() {
    const names = Object.fromEntries([...this.#names].map(([attribute, placeholder]) => [placeholder, attribute]));
    const values = Object.fromEntries(this.#values.map((value, at) => [`:${at}`, value]));
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: names }),
      ...(this.#values.length > 0 && { ExpressionAttributeValues: values }),
    };
  }
}

const conditioned = (names: Names, when: Condition | undefined) => ({
  ...(when && { ConditionExpression: conditionExpression(names, when), ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const }),
  ...names.attributes(),
});

const conditionExpression = (names: Names, when: Condition): string => {
  switch (when.kind) {
    case "absent":
      return `attribute_not_exists(${names.name(PRIMARY.pk)})`;
    case "present":
      return `attribute_exists(${names.name(PRIMARY.pk)})`;
    case "equals":
      return `${names.name(when.attribute)} = ${names.value(when.value)}`;
    case "less":
      return `${names.name(when.attribute)} < ${names.value(when.value)}`;
    case "lacks":
      return `attribute_not_exists(${names.name(when.attribute)})`;
    case "has":
      return `attribute_exists(${names.name(when.attribute)})`;
    case "all":
      return joined(names, when.of, " AND ");
    case "any":
      return joined(names, when.of, " OR ");
    default:
      return unreachable(when);
  }
};

const joined = (names: Names, of: readonly Condition[], word: string): string => {
  if (of.length === 0) throw new Defect("a condition of no conditions");
  return `(${of.map((each) => conditionExpression(names, each)).join(word)})`;
};

const updateExpression = (names: Names, change: Change): string => {
  const set = Object.entries(change.set ?? {}).map(([name, value]) => `${names.name(name)} = ${names.value(value)}`);
  const add = Object.entries(change.add ?? {}).map(([name, value]) => `${names.name(name)} ${names.value(value)}`);
  const remove = (change.remove ?? []).map((name) => names.name(name));
  return [clause("SET", set), clause("ADD", add), clause("REMOVE", remove)].filter((text) => text !== "").join(" ");
};

const clause = (word: string, parts: readonly string[]): string => (parts.length === 0 ? "" : `${word} ${parts.join(", ")}`);

const keyOnly = ({ pk, sk }: Key): Key => ({ pk, sk });

/** Only present attributes are stored, at every depth. */
const stored = (item: Item): StoredItem =>
  Object.fromEntries(Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, present(value)]])));

const present = (value: Value): Value => {
  if (value === null || typeof value !== "object" || value instanceof Uint8Array) return value;
  if (isList(value)) return value.map(present);
  return Object.fromEntries(Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, present(inner)]])));
};

/** `Array.isArray` does not narrow readonly arrays out of a union. */
const isList = (value: object): value is readonly Value[] => Array.isArray(value);

/** Whatever the document client gives for an item or a key has text under `pk` and `sk`, because the table demands it. */
export const asItem = (found: Readonly<Record<string, unknown>>): Item => found as Item;
