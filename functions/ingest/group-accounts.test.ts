import { describe, expect, it } from "vitest";
import { keepGroupAccounts } from "../../lib/customers/group-accounts.ts";
import type { Table } from "../../lib/ports/table.ts";
import { keyIn } from "../../lib/table/partitions.ts";
import { deliveryOf } from "../../test/support/samples/capture-messages.ts";
import { sideBySide } from "../../test/support/side-by-side.ts";
import { ingestWorld, NOW } from "../../test/support/worlds/ingest-world.ts";
import { ingest } from "./ingest.ts";
import { projectMemory } from "./project-memory.ts";

const ENOUGH = { remainingMs: () => 60_000 };
const DESCRIBED = keyIn("project", "project", { project: 1 });

interface Identified {
  readonly key?: string;
  readonly name?: unknown;
  /** The day in January that the event is of. */
  readonly day?: number;
  readonly type?: string;
}

const identify = ({ key = "acme", name, day = 1, type = "company" }: Identified) => ({
  event: "$group_identify",
  distinct_id: "ann",
  timestamp: new Date(Date.UTC(2026, 0, day)).toISOString(),
  properties: { $group_type: type, $group_key: key, $group_set: { name } },
});

/** A project that makes accounts of companies, and what its ingest asks the table for them. */
const aShop = async (type: string | undefined = "company") => {
  const calls = { accounts: 0, projects: 0, types: 0 };
  let refuses = false;
  const counted = (table: Table): Table => ({
    ...table,
    get: (key, options) => {
      expect(options).toEqual({ consistent: true });
      if (key.pk === DESCRIBED.pk) calls[key.sk === DESCRIBED.sk ? "projects" : "types"] += 1;
      return table.get(key, options);
    },
    getMany: (keys, options) => {
      if (keys.length > 0) calls.accounts += 1;
      return refuses ? Promise.reject(new Error("throttled")) : table.getMany(keys, options);
    },
  });
  const { world, table, pass } = await ingestWorld([1], counted);
  const describe = (account_group_type: string | undefined) =>
    table.put({ ...DESCRIBED, entity: "project", v: 1, ...(account_group_type !== undefined && { account_group_type }) });
  await describe(type);
  return {
    world,
    pass,
    describe,
    refuse: (is: boolean): void => {
      refuses = is;
    },
    /** Sends groups in one batch; how many times the table was asked for accounts, or for the project. */
    async send(...groups: readonly Identified[]) {
      Object.assign(calls, { accounts: 0, projects: 0, types: 0 });
      const events = [{ event: "$set", distinct_id: "ann", properties: { $set: { name: "Ann" } } }, ...groups.map(identify)];
      const { failed } = await ingest([deliveryOf(events, { received: `${NOW}000` })], world, ENOUGH, "live");
      return { failed: failed.length, ...calls };
    },
    async accounts() {
      const { items } = await table.query({ pk: "project#1#accounts" });
      return Object.fromEntries(items.map(({ external_id, name, named_at }) => [String(external_id), [name, named_at]]));
    },
    async names() {
      const { items } = await table.query({ pk: "project#1#accounts" });
      return Object.fromEntries(items.map(({ external_id, name }) => [String(external_id), name]));
    },
  };
};

describe("the account of a group", () => {
  it.each([
    ["its name", " Acme ", "Acme"],
    ["a number for a name", 42, "42"],
    ["an empty name", "  ", "acme"],
    ["no text for a name", { toString: "x" }, "acme"],
    ["no name", undefined, "acme"],
    ["a name that is too long", "x".repeat(500), "x".repeat(400)],
  ])("is made of an event with %s", async (_, name, expected) => {
    const { send, names } = await aShop();
    await send({ name });
    expect(await names()).toEqual({ acme: expected });
  });

  it("has the name of the newest of a batch's events, the last of several at one time, whatever their order", async () => {
    const orders: readonly [readonly Identified[], string][] = [
      [[{ name: "Old" }, { name: "New", day: 2 }], "New"],
      [[{ name: "New", day: 2 }, { name: "Old" }], "New"],
      [[{ name: "First" }, { name: "Second" }], "Second"],
      [[{ name: "Named" }, { day: 2 }], "Named"],
      [[{ day: 2 }, { name: "Named" }], "Named"],
    ];
    for (const [batch, expected] of orders) {
      const { send, names } = await aShop();
      await send(...batch);
      expect(await names()).toEqual({ acme: expected });
    }
  });

  it("is renamed beside others, because what is ingested waits for all of them", async () => {
    const { world } = await ingestWorld([1]);
    const named = (name: string, at: number) => Array.from({ length: 40 }, (_, index) => ({ key: `company-${index}`, name, at }));
    await keepGroupAccounts(world, 1, named("Old", 1));
    const counted = sideBySide(world.table, (call) => call === "update");
    await keepGroupAccounts({ ...world, table: counted.table }, 1, named("New", 2));
    expect([counted.calls(), counted.most()]).toEqual([40, 4]);
  });

  it("notes when it was named, to the millisecond of the event", async () => {
    const { send, accounts } = await aShop();
    await send({ name: "Acme", day: 3 });
    expect(await accounts()).toEqual({ acme: ["Acme", Date.UTC(2026, 0, 3)] });
  });

  it("is made for each group of the type, and for none of another type or without a key", async () => {
    const { send, names } = await aShop();
    await send({ key: "  ", name: "Nobody" }, { key: "b", name: "B" }, { key: "t", name: "T", type: "team" }, { key: "c", name: "C" });
    expect(await names()).toEqual({ b: "B", c: "C" });
  });

  it("is not made where the project makes none, and costs nothing more there than to know that", async () => {
    const { world, send, names } = await aShop("");
    await send({ name: "Acme" });
    expect(await names()).toEqual({});
    const without = await aShop();
    await without.describe(undefined);
    expect(await without.send()).toEqual({ failed: 0, accounts: 0, projects: 0, types: 0 });
    expect(await without.send({ name: "Acme" })).toMatchObject({ failed: 0, accounts: 0, projects: 1 });
    expect(await without.send({ name: "Other", day: 2 })).toEqual({ failed: 0, accounts: 0, projects: 0, types: 0 });
    expect(projectMemory(world, 1).accounts.size).toBe(0);
  });

  it("is tried again with its message where it could not be made", async () => {
    const { send, names, refuse } = await aShop();
    refuse(true);
    expect(await send({ name: "Acme" })).toMatchObject({ failed: 1 });
    refuse(false);
    expect(await send({ name: "Acme" })).toMatchObject({ failed: 0 });
    expect(await names()).toEqual({ acme: "Acme" });
  });
});

describe("what ingest remembers of accounts", () => {
  it("spares asking for those that an event says nothing new of", async () => {
    const { send, names } = await aShop();
    const asks = async (group: Identified) => (await send(group)).accounts > 0;
    const seen: [Identified, boolean][] = [
      [{ name: "Acme", day: 3 }, true],
      [{ name: "Acme", day: 4 }, false],
      [{ name: "Older", day: 2 }, false],
      [{ name: "At once", day: 3 }, false],
      [{ day: 5 }, false],
      [{ key: "other", day: 5 }, true],
      [{ key: "other", day: 6 }, false],
      [{ name: "Acme", day: 4 }, false],
      [{ name: "Newer", day: 6 }, true],
      [{ name: "Newer", day: 7 }, false],
      [{ name: "Acme", day: 5 }, false],
      [{ key: "other", name: "Named at last", day: 4 }, true],
    ];
    for (const [group, isAsked] of seen) expect([group, await asks(group)]).toEqual([group, isAsked]);
    expect(await names()).toEqual({ acme: "Newer", other: "Named at last" });
  });

  it("is of each group of a batch", async () => {
    const { send } = await aShop();
    const batch = ["a", "b", "c"].map((key) => ({ key, name: key }));
    expect((await send(...batch)).accounts).toBeGreaterThan(0);
    for (const group of batch) expect(await send(group)).toMatchObject({ accounts: 0 });
  });

  it("is forgotten where it is of more than twenty thousand", async () => {
    const { world, send } = await aShop();
    const { accounts } = projectMemory(world, 1);
    for (let at = 0; at < 20_000; at += 1) accounts.set(`known-${at}`, { name: "known", at: NOW });
    await send({ key: "one" });
    expect(accounts.size).toBe(20_001);
    await send({ key: "two" });
    expect([...accounts.keys()]).toEqual(["two"]);
  });

  it("has the group type that makes accounts for half a minute", async () => {
    const { send, names, describe, pass } = await aShop("team");
    expect(await send({ name: "Acme" })).toMatchObject({ projects: 1 });
    await describe("company");
    pass(29_999);
    expect(await send({ name: "Acme" })).toMatchObject({ projects: 0 });
    pass(1);
    expect(await send({ name: "Acme" })).toMatchObject({ projects: 1 });
    expect(await names()).toEqual({ acme: "Acme" });
  });
});
