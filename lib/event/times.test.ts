import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExactNumber } from "../core/exact-json.ts";
import { eventTime, parseTime, parseUsual, type RequestTimes } from "./times.ts";

const iso = (micros: bigint | undefined): string | undefined => {
  if (micros === undefined) return undefined;
  const ms = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n);
  return `${new Date(Number(ms)).toISOString().slice(0, -1)}${String(micros - ms * 1000n).padStart(3, "0")}`;
};

describe("parseTime", () => {
  it.each([
    ["2026-01-12T09:14:03Z", "2026-01-12T09:14:03.000000"],
    ["2026-01-12T09:14:03.512Z", "2026-01-12T09:14:03.512000"],
    ["2026-01-12T09:14:03.512345Z", "2026-01-12T09:14:03.512345"],
    ["2026-01-12T09:14:03.5+00:00", "2026-01-12T09:14:03.500000"],
    ["2026-01-12T09:14:03.512345678Z", "2026-01-12T09:14:03.512345"],
    ["2026-01-12T09:14:03.512+02:30", "2026-01-12T06:44:03.512000"],
    ["2026-01-12T09:14:03-0800", "2026-01-12T17:14:03.000000"],
    ["2026-01-12T09:14:03+03", "2026-01-12T06:14:03.000000"],
    ["2026-01-12t09:14:03z", "2026-01-12T09:14:03.000000"],
    ["2026-01-12T09:14:03", "2026-01-12T09:14:03.000000"],
    ["2026-01-12 09:14:03", "2026-01-12T09:14:03.000000"],
    ["2026-01-12 09:14:03.25 +01:00", "2026-01-12T08:14:03.250000"],
    ["2026-01-12", "2026-01-12T00:00:00.000000"],
    ["2026/1/12", "2026-01-12T00:00:00.000000"],
    ["1/12/2026 9:14", "2026-01-12T09:14:00.000000"],
    ["Mon, 12 Jan 2026 09:14:03 +0100", "2026-01-12T08:14:03.000000"],
    ["12 Jan 2026 09:14:03 GMT", "2026-01-12T09:14:03.000000"],
    ["Mon, 12 Jan 2026 09:14:03 UT", "2026-01-12T09:14:03.000000"],
    ["Mon, 12 Jan 2026 09:14:03 EST", "2026-01-12T14:14:03.000000"],
    ["Sun, 12 Jul 2026 09:14:03 EDT", "2026-07-12T13:14:03.000000"],
    ["12 Jan 2026 09:14:03 cst", "2026-01-12T15:14:03.000000"],
    ["12 Jul 2026 09:14:03 CDT", "2026-07-12T14:14:03.000000"],
    ["12 Jan 2026 09:14:03 MST", "2026-01-12T16:14:03.000000"],
    ["12 Jul 2026 09:14:03 MDT (Denver)", "2026-07-12T15:14:03.000000"],
    ["12 Jan 2026 19:14:03 PST", "2026-01-13T03:14:03.000000"],
    ["12 Jul 2026 09:14:03 PDT", "2026-07-12T16:14:03.000000"],
    ["1768209243", "2026-01-12T09:14:03.000000"],
    ["1768209243512", "2026-01-12T09:14:03.512000"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000"],
    ["2000-02-29T23:59:60Z", "2000-03-01T00:00:00.000000"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000"],
    ["1900-03-01T00:00:00.000001Z", "1900-03-01T00:00:00.000001"],
    ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999"],
    ["9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999"],
    ["-000001-06-01T00:00:00Z", "-000001-06-01T00:00:00.000000"],
    [" 2026-01-12T09:14:03Z ", "2026-01-12T09:14:03.000000"],
    ["2026-01-12T09:14:03+23:59", "2026-01-11T09:15:03.000000"],
    ["2026-01-12 09:14:03-02:30", "2026-01-12T11:44:03.000000"],
    ["12/31/2026 23:59:59.5", "2026-12-31T23:59:59.500000"],
    ["30 Sep 2026 00:00:00 GMT (summer)", "2026-09-30T00:00:00.000000"],
    ["2400-02-29", "2400-02-29T00:00:00.000000"],
    ["-864000000", "1942-08-16T00:00:00.000000"],
    ["100000000", "1973-03-03T09:46:40.000000"],
    ["99999999999", "5138-11-16T09:46:39.000000"],
    ["100000000000", "1973-03-03T09:46:40.000000"],
    ["99999999999999", "5138-11-16T09:46:39.999000"],
    [`2026-01-12T09:14:03.${"5".repeat(59)}Z`, "2026-01-12T09:14:03.555555"],
    ["-250000-01-01T00:00:00Z", "-250000-01-01T00:00:00.000000"],
  ])("reads %s", (text, expected) => {
    expect(iso(parseTime(text))).toBe(expected);
  });

  it.each([
    "",
    "now",
    "2026-02-29",
    "2026-13-01",
    "2026-01-12T24:00:00Z",
    "2026-01-12T09:60:00Z",
    "2026-01-12T09:14:03+99:00",
    "12",
    "20260112",
    "2026-01-12T09:14:0xZ",
    "2026-01-12T09:14:03.Z",
    "1".repeat(200),
    "99999999",
    "-86400000",
    "100000000000000",
    "2026-01-00",
    "2026-00-12",
    "2026-01-32",
    "2024-02-30",
    "2026-04-31",
    "2026-06-31",
    "2026-09-31",
    "2026-11-31",
    "-250001-12-31",
    "2026-01-12x09:14:03Z",
    "2026/01-12T09:14:03Z",
    "2026-01/12T09:14:03Z",
    "1900-02-29",
    "2026-01-12T09:14:61Z",
    "2026-01-12T09:14:03+24:00",
    "2026-01-12T09:14:03+02:60",
    `2026-01-12T09:14:03.${"5".repeat(60)}Z`,
  ])("does not read %s", (text) => {
    expect(parseTime(text)).toBeUndefined();
  });

  it("reads what SDKs send no otherwise than the same with a space, whatever is wrong with it", () => {
    const usual = fc
      .tuple(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        fc.constantFrom("Z", "456Z", "+00:00", ""),
      )
      .map(([date, end]) => date.toISOString().replace("Z", end));
    const slip = fc.tuple(fc.nat({ max: 30 }), fc.constantFrom("", "0", "3", "6", "9", "-", ":", ".", "+", "Z", " ", "/", "x"));
    const spoilt = fc
      .tuple(usual, fc.array(slip, { maxLength: 2 }))
      .map(([text, slips]) => slips.reduce((left, [at, put]) => (at === 10 ? left : left.slice(0, at) + put + left.slice(at + 1)), text));
    void fc.assert(
      fc.property(
        spoilt.filter((text) => text[10] === "T"),
        (text) => {
          expect(parseTime(text)).toBe(parseTime(`${text.slice(0, 10)} ${text.slice(11)}`));
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it("reads what SDKs send the quick way", () => {
    for (let ms = Date.UTC(1969, 0, 1); ms < Date.UTC(2171, 0, 1); ms += 7_777_777_777) {
      const text = new Date(ms).toISOString();
      const micros = BigInt(ms) * 1000n;
      const whole = BigInt(Math.floor(ms / 1000)) * 1_000_000n;
      expect(parseUsual(text)).toBe(micros);
      expect(parseUsual(text.replace("Z", "+00:00"))).toBe(micros);
      expect(parseUsual(text.replace("Z", "456Z"))).toBe(micros + 456n);
      expect(parseUsual(text.replace(/\.\d+/, ""))).toBe(whole);
    }
  });

  it("agrees with the platform's own parser on every day of 500 years", () => {
    for (let ms = Date.UTC(1700, 0, 1); ms < Date.UTC(2200, 0, 1); ms += 86_399_987) {
      expect(parseTime(new Date(ms).toISOString())).toBe(BigInt(ms) * 1000n);
    }
  });
});

const micros = (text: string): bigint => parseTime(text) ?? -1n;
const RECEIVED = micros("2026-01-12T12:00:00Z");
const aRequest = (changes: Partial<RequestTimes> = {}): RequestTimes => ({
  received: RECEIVED,
  sentAt: null,
  historical: false,
  ...changes,
});
const timeOf = (
  timestamp: string | null,
  request: Partial<RequestTimes> = {},
  event: { offset?: number | ExactNumber; ignoreSentAt?: boolean } = {},
) => iso(eventTime({ timestamp, ignoreSentAt: false, ...event }, aRequest(request)).micros);

describe("eventTime", () => {
  it("is the time as sent when the clocks agree within two minutes", () => {
    for (const skew of [-120_000_000n, 120_000_000n])
      expect(timeOf("2026-01-12T11:00:00Z", { sentAt: RECEIVED + skew })).toBe("2026-01-12T11:00:00.000000");
    expect(timeOf("2026-01-12T11:00:00Z")).toBe("2026-01-12T11:00:00.000000");
  });

  it("is corrected by the clocks' difference when that is larger, unless the event or an import says no", () => {
    const fast = { sentAt: RECEIVED + 3_600_000_000n };
    expect(timeOf("2026-01-12T12:30:00Z", fast)).toBe("2026-01-12T11:30:00.000000");
    expect(timeOf("2026-01-12T12:30:00Z", fast, { ignoreSentAt: true })).toBe("2026-01-12T12:30:00.000000");
    expect(timeOf("2026-01-12T12:30:00Z", { ...fast, historical: true })).toBe("2026-01-12T12:30:00.000000");
    expect(timeOf("2026-01-12T10:30:00Z", { sentAt: RECEIVED - 3_600_000_000n })).toBe("2026-01-12T11:30:00.000000");
    expect(timeOf("2026-01-12T11:00:00Z", { sentAt: RECEIVED - 120_000_001n })).toBe("2026-01-12T11:02:00.000001");
    expect(timeOf("2026-01-12T11:00:00Z", { sentAt: RECEIVED + 120_000_001n })).toBe("2026-01-12T10:57:59.999999");
  });

  it("is the offset before the receive time when there is one", () => {
    for (const offset of [1500, JSON.rawJSON("1500.00000000000000000001")]) {
      expect(timeOf("2020-01-01T00:00:00Z", {}, { offset })).toBe("2026-01-12T11:59:58.500000");
    }
  });

  it("is the receive time when nothing readable is stated", () => {
    expect(eventTime({ timestamp: "soon", ignoreSentAt: false }, aRequest())).toEqual({ micros: RECEIVED, stated: false });
    expect(eventTime({ ignoreSentAt: false }, aRequest())).toEqual({ micros: RECEIVED, stated: false });
  });

  it("may be 23 hours ahead and no more", () => {
    expect(timeOf("2026-01-13T11:00:00Z")).toBe("2026-01-13T11:00:00.000000");
    expect(timeOf("2026-01-13T11:00:00.000001Z")).toBe("2026-01-12T12:00:00.000000");
    expect(timeOf("9999-12-31T23:59:59.999999Z")).toBe("2026-01-12T12:00:00.000000");
  });

  it.each(["0000-01-01T00:00:00Z", "1900-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z"])("may be %s", (text) => {
    expect(timeOf(text)).toBe(iso(parseTime(text)));
  });

  it("is 1970 outside the years 0 to 9999", () => {
    expect(timeOf("-000001-12-31T23:59:59Z")).toBe("1970-01-01T00:00:00.000000");
    const late = micros("9999-12-31T23:59:59.999999Z");
    expect(timeOf("9999-12-31T23:59:59.999999Z", { received: late })).toBe("9999-12-31T23:59:59.999999");
    expect(timeOf("+010000-01-01T00:00:00Z", { received: late })).toBe("1970-01-01T00:00:00.000000");
    expect(timeOf(null, {}, { offset: Number.MAX_SAFE_INTEGER })).toBe("1970-01-01T00:00:00.000000");
  });
});
