import { describe, expect, it } from "vitest";
import { openSegments } from "../../lib/aws/segments.ts";
import { personIdOf } from "../../lib/event/identity.ts";
import { messageFacts } from "../../test/support/samples/capture-messages.ts";
import { sift } from "./sift.ts";

const MESSAGE = messageFacts({ project: 7 });

/** Events of these people, in a project where nobody can be called "bad". */
const sifted = (people: readonly string[], segments = openSegments) => {
  const personId = (id: string): string => {
    if (id === "bad") throw new RangeError("no id");
    return personIdOf(7, id);
  };
  const events = people.map((distinct_id, position) => ({ position, event: { event: "clicked", distinct_id } }));
  return sift(MESSAGE, events, { project: 7, groupTypes: [], personId }, segments);
};

describe("sifting a message", () => {
  it("names the events that cannot be read, and keeps the others in their order", async () => {
    const { stored, culprits, fault } = await sifted(["a", "bad", "b", "bad", "c"]);
    expect(stored.map(({ row }) => row.distinct_id)).toEqual(["a", "b", "c"]);
    expect([culprits, fault]).toEqual([[1, 3], new RangeError("no id")]);
  });

  it("names the events that cannot be written, and keeps the others in their order", async () => {
    const fussy: typeof openSegments = {
      write: (rows) =>
        rows.some(({ distinct_id }) => distinct_id.startsWith("un"))
          ? Promise.reject(new RangeError("unwritable"))
          : openSegments.write(rows),
    };
    const { stored, culprits, fault } = await sifted(["a", "un", "b", "c", "und"], fussy);
    expect(stored.map(({ row }) => row.distinct_id)).toEqual(["a", "b", "c"]);
    expect([culprits, fault]).toEqual([[1, 4], new RangeError("unwritable")]);
  });

  it("leaves out the events that rules drop, which are no fault of the message's", async () => {
    const named = { event: "clicked", distinct_id: "a" };
    const unset = { event: "$groupidentify", distinct_id: "a", properties: { $group_type: "company", $group_key: "acme", $group_set: 5 } };
    const events = [named, unset, named].map((event, position) => ({ position, event }));
    const { stored, culprits } = await sift(
      MESSAGE,
      events,
      { project: 7, groupTypes: [], personId: (id) => personIdOf(7, id) },
      openSegments,
    );
    expect([stored.map(({ row }) => row.index), culprits]).toEqual([[0, 2], []]);
  });

  it("accuses no event when there are so many that the fault is another one", async () => {
    const people = (count: number): readonly string[] => Array.from({ length: count }, () => "bad");
    expect((await sifted(people(100))).culprits).toHaveLength(100);
    await expect(sifted(people(101))).rejects.toThrow("no id");
  });
});
