import { describe, expect, test } from "vitest";
import { systemIds } from "../../lib/app/system.ts";
import { type TokenKeyPlace, type TokenKeys, tokenKeysAt } from "../../lib/ports/token-keys.ts";

/** A place for keys in which there are none yet, and a way to put there what an operator writes. */
export interface EmptyPlace {
  readonly place: TokenKeyPlace;
  write(text: string): Promise<void>;
}

const lineOf = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString("base64")}\n`;

/** The promises of the keys of tokens, wherever they lie. */
export const tokenKeysSuite = (name: string, anEmptyPlace: () => Promise<EmptyPlace>): void => {
  describe(`the keys of tokens in ${name}`, () => {
    const setUp = async () => {
      const { place, write } = await anEmptyPlace();
      const time = { now: 1_000_000 };
      const clock = { now: () => time.now };
      const opened = (): TokenKeys => tokenKeysAt(place, clock, systemIds(clock));
      return { place, write, time, opened, keys: opened() };
    };

    test("are none until the first is made, of 32 bytes, which everybody finds from then on", async () => {
      const { keys, opened } = await setUp();
      expect(await keys.newest()).toBeUndefined();
      const made = await keys.make();
      expect(made.bytes).toHaveLength(32);
      for (const each of [keys, opened()]) {
        expect(Buffer.from((await each.find(made.id))?.bytes ?? [])).toEqual(Buffer.from(made.bytes));
        expect((await each.newest())?.id).toBe(made.id);
      }
      expect((await opened().make()).id).toBe(made.id);
    });

    test("are one, however many make the first at once", async () => {
      const { opened } = await setUp();
      const made = await Promise.all(Array.from({ length: 8 }, () => opened().make()));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(new Set(made.map(({ bytes }) => Buffer.from(bytes).toString("hex"))).size).toBe(1);
    });

    test("begin with the newest, and the older ones are found as well", async () => {
      const { keys, write } = await setUp();
      await write(lineOf("2027-01", 2) + lineOf("2026-01", 1));
      expect((await keys.make()).id).toBe("2027-01");
      expect((await keys.newest())?.id).toBe("2027-01");
      expect((await keys.find("2026-01"))?.bytes[0]).toBe(1);
      expect(await keys.find("2025-01")).toBeUndefined();
    });

    test("that are new are found at once by whoever has read the older ones, and asked for every ten seconds at most", async () => {
      const { place, write, time } = await setUp();
      let reads = 0;
      const counted: TokenKeyPlace = {
        create: (text) => place.create(text),
        read: () => {
          reads += 1;
          return place.read();
        },
      };
      const clock = { now: () => time.now };
      const keys = tokenKeysAt(counted, clock, systemIds(clock));
      await write(lineOf("old", 1));
      for (let each = 0; each < 3; each += 1) expect((await keys.find("old"))?.bytes[0]).toBe(1);
      expect(reads).toBe(1);
      await write(lineOf("new", 2) + lineOf("old", 1));
      time.now += 9_999;
      expect(await keys.find("new")).toBeUndefined();
      time.now += 1;
      expect((await keys.find("new"))?.bytes[0]).toBe(2);
      for (let each = 0; each < 3; each += 1) expect(await keys.find("foreign")).toBeUndefined();
      expect(reads).toBe(2);
    });

    test("are refused whole where a line is none, without showing what it holds", async () => {
      const { keys, write } = await setUp();
      await write(`${lineOf("good", 1)}bad:c2VjcmV0\n`);
      const refused = await keys.newest().catch(String);
      expect(refused).toContain("line 2");
      expect(refused).not.toContain("c2VjcmV0");
    });
  });
};
