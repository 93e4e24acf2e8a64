import { describe, expect, it } from "vitest";
import { openSegments } from "../../lib/aws/parts/segments.ts";
import { derivePersonId } from "../../lib/event/identity.ts";
import { messageFacts } from "../../test/support/samples/capture-messages.ts";
import { isolatePoisonEvents } from "./isolate-poison-events.ts";

const MESSAGE = messageFacts({ project: 7 });

/** Events of these people, in a project where nobody can be called "bad". */
const isolate = (people: readonly string[], segments = openSegments) => {
  const personId = (id: string): string => {
    if (id === "bad") throw new RangeError("no id");
    return derivePersonId(7, id);
  };
  const events = people.map((distinct_id, position) => ({ position, event: { event: "clicked", distinct_id } }));
  return isolatePoisonEvents(MESSAGE, events, { project: 7, groupTypes: [], personId }, segments);
};

describe("sifting a message", () => {
  it("names the events that cannot be read, and keeps the others in their order", async () => {
    const { stored, poisonEvents, fault } = await isolate(["a", "bad", "b", "bad", "c"]);
    expect(stored.map(({ row }) => row.distinct_id)).toEqual(["a", "b", "c"]);
    expect([poisonEvents, fault]).toEqual([[1, 3], new RangeError("no id")]);
  });

  it("names the events that cannot be written, and keeps the others in their order", async () => {
    const fussy: typeof openSegments = {
      write: (rows) =>
        rows.some(({ distinct_id }) => distinct_id.startsWith("un"))
          ? Promise.reject(new RangeError("unwritable"))
          : openSegments.write(rows),
    };
    const { stored, poisonEvents, fault } = await isolate(["a", "un", "b", "c", "und"], fussy);
    expect(stored.map(({ row }) => row.distinct_id)).toEqual(["a", "b", "c"]);
    expect([poisonEvents, fault]).toEqual([[1, 4], new RangeError("unwritable")]);
  });

  it("leaves out the events that rules drop, which are no fault of the message's", async () => {
    const named = { event: "clicked", distinct_id: "a" };
    const unset = { event: "$groupidentify", distinct_id: "a", properties: { $group_type: "company", $group_key: "acme", $group_set: 5 } };
    const events = [named, unset, named].map((event, position) => ({ position, event }));
    const { stored, poisonEvents } = await isolatePoisonEvents(
      MESSAGE,
      events,
      { project: 7, groupTypes: [], personId: (id) => derivePersonId(7, id) },
      openSegments,
    );
    expect([stored.map(({ row }) => row.index), poisonEvents]).toEqual([[0, 2], []]);
  });

  it("accuses no event when there are so many that the fault is another one", async () => {
    const people = (count: number): readonly string[] => Array.from({ length: count }, () => "bad");
    expect((await isolate(people(100))).poisonEvents).toHaveLength(100);
    await expect(isolate(people(101))).rejects.toThrow("no id");
  });
});
