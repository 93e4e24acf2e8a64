import { describe, expect, it } from "vitest";
import { type CaptureMessage, decodeMessage, encodeMessage, MESSAGE_FORMAT, readEvents } from "./message.ts";

const MESSAGE: CaptureMessage = {
  v: MESSAGE_FORMAT,
  project: 7,
  organization: "o",
  request: "0".repeat(32),
  received: "1795176000000000",
  sentAt: null,
  historical: false,
  payload: "events",
  engage: false,
  first: 40,
  events: 3,
  decodedBytes: 100,
  body: { encoding: "gzip", inline: "AA==" },
};
const PAYLOAD = Buffer.from('[{"event":"$exception"},{"event":"$performance_event"},{"event":"a"}]');

describe("encodeMessage", () => {
  it.each([MESSAGE, { ...MESSAGE, importName: '"old" shop', body: { encoding: "zstd", key: '"' } as const }])("writes JSON", (message) => {
    expect(JSON.parse(encodeMessage(message))).toEqual(message);
  });

  it("writes ASCII alone, whatever an import is called: a queue takes no other message for sure", () => {
    const message = { ...MESSAGE, importName: "old \u{1f600} shop \uffff \ud800 é \0" };
    expect(encodeMessage(message)).toMatch(/^[ -~]+$/);
    expect(decodeMessage(encodeMessage(message))).toEqual(message);
  });
});

describe("decodeMessage", () => {
  it("reads the messages that lie in the queues while a new version is brought out", () => {
    expect(MESSAGE_FORMAT).toBe(2);
  });

  it.each([
    MESSAGE,
    { ...MESSAGE, v: MESSAGE_FORMAT - 1 },
    { ...MESSAGE, v: MESSAGE_FORMAT + 1 },
    { ...MESSAGE, project: 0, organization: "", token: "phc_x", limited: ["events", "exceptions"] as const },
    { ...MESSAGE, importName: "old shop" },
    { ...MESSAGE, body: { encoding: "zstd", key: "messages/1" } as const },
    { ...MESSAGE, sentAt: "1795176000000000", payload: "envelope" as const, body: { encoding: "none", inline: "" } as const },
  ])("reads what encodeMessage wrote, in this format, the one before and the one after", (message) => {
    expect(decodeMessage(encodeMessage(message))).toEqual(message);
  });

  it("leaves resources out that only a later version of capture knows, and reads the rest", () => {
    const sent = JSON.stringify({ ...MESSAGE, limited: ["exceptions", "of_a_later_version"] });
    expect(decodeMessage(sent)).toEqual({ ...MESSAGE, limited: ["exceptions"] });
    expect(readEvents(decodeMessage(sent), PAYLOAD).map(({ event }) => event.event)).toEqual(["a"]);
  });

  it.each([
    { ...MESSAGE, v: MESSAGE_FORMAT + 2 },
    { ...MESSAGE, v: MESSAGE_FORMAT - 2 },
    { ...MESSAGE, project: "7" },
    { ...MESSAGE, body: { encoding: "lz64", inline: "" } },
    { ...MESSAGE, body: { encoding: "gzip" } },
    [],
    null,
    ...Object.keys(MESSAGE).flatMap((field) => [
      { ...MESSAGE, [field]: undefined },
      { ...MESSAGE, [field]: { another: "kind" } },
    ]),
    { ...MESSAGE, token: 7 },
    { ...MESSAGE, limited: "events" },
    { ...MESSAGE, limited: [7] },
    { ...MESSAGE, limited: ["events", 7] },
    { ...MESSAGE, body: { inline: "" } },
  ])("refuses another format or another shape (%#)", (value) => {
    expect(() => decodeMessage(JSON.stringify(value))).toThrow(/^a message /);
  });
});

describe("eventsOf", () => {
  it("gives the events at their places in the request, without performance entries", () => {
    expect(readEvents(MESSAGE, PAYLOAD).map(({ position, event }) => [position, event.event])).toEqual([
      [40, "$exception"],
      [42, "a"],
    ]);
  });

  it("leaves out what a quota drops, unless the request is flagged", () => {
    const limited: CaptureMessage = { ...MESSAGE, limited: ["exceptions"] };
    expect(readEvents(limited, PAYLOAD).map(({ position }) => position)).toEqual([42]);
    expect(readEvents({ ...limited, historical: true }, PAYLOAD).map(({ position }) => position)).toEqual([40, 42]);
  });
});
