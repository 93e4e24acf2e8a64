import * as fc from "fast-check";
import { expect, it } from "vitest";
import { distinctRows } from "../../../lib/event/identity.ts";
import { anEventRow, identityOf } from "../../support/samples/event-rows.ts";

const row = fc
  .record({
    distinct_id: fc.constantFrom("ann", "bob"),
    uuid: fc.constantFrom("0190a1b2-c3d4-7e5f-8a9b-000000000001", "0190a1b2-c3d4-7e5f-8a9b-000000000002"),
    timestamp: fc.constantFrom(-1n, 0n, 1n, 86_400_000_000n),
    created_at: fc.constantFrom(5n, 6n),
    request: fc.constantFrom("a", "b"),
    index: fc.integer({ min: 0, max: 2 }),
    /** Few hashes, so that different identities often meet in one. */
    identity: fc.constantFrom(1n, 2n),
  })
  .map((changes) => ({ ...anEventRow(changes), identity: identityOf(anEventRow(changes)).length % 2 === 0 ? 1n : 2n }));

it("of the copies of an identity the first by receive time, request and position stays, also where hashes collide", () => {
  void fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
      const least = new Map<string, string>();
      for (const each of rows) {
        const place = `${each.created_at}/${each.request}/${each.index}`;
        const known = least.get(identityOf(each));
        if (known === undefined || place < known) least.set(identityOf(each), place);
      }
      const kept = distinctRows(rows);
      expect(new Map(kept.map((each) => [identityOf(each), `${each.created_at}/${each.request}/${each.index}`]))).toEqual(least);
      expect(kept).toHaveLength(least.size);
    }),
  );
});
