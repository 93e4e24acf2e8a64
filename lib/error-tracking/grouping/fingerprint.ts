import { hash } from "node:crypto";
import type { Exception } from "../parsing/parsed-event.ts";
import type { Grouping } from "./grouping.ts";
import type { RecordEntry } from "./hashed.ts";
import { versionOne } from "./version-one.ts";
import { versionTwo } from "./version-two.ts";

/** A fingerprint, and the pieces that it was made of. */
export interface Fingerprint {
  readonly value: string;
  readonly kind: "manual" | "custom" | "automatic" | "overflow";
  /** The oldest version of the algorithm that gives it; of automatic ones only. */
  readonly version?: "v1" | "v2";
  readonly record: readonly RecordEntry[];
  /** What the version that the project had before makes of the same, where that differs: whoever knows it leads to the same issue. */
  readonly older?: string;
}

const MOST_BYTES = 64;

/** The client's own fingerprint, digested where it is too long for a key. */
export const manualFingerprint = (sent: string): Fingerprint => ({
  value: Buffer.byteLength(sent) <= MOST_BYTES ? sent : digest(sent),
  kind: "manual",
  record: [{ type: "manual" }],
});

/** The fingerprint of everything that a grouping rule matches. */
export const customFingerprint = (ruleId: string): Fingerprint => ({
  value: `custom-rule:${ruleId}`,
  kind: "custom",
  record: [{ type: "custom", rule_id: ruleId }],
});

/** The fingerprint of what would open more issues than a project may in a day. */
export const OVERFLOW_FINGERPRINT: Fingerprint = { value: "over-daily-limit", kind: "overflow", record: [{ type: "overflow" }] };

/** The fingerprint that nobody chose, by the version that the project keeps. */
export const automaticFingerprint = (exceptions: readonly Exception[], { version, before }: Grouping): Fingerprint => {
  const one = versionOne(exceptions);
  if (version === 1 && before === undefined) return { value: digest(one.text), kind: "automatic", version: "v1", record: one.record };
  const two = versionTwo(exceptions);
  const [current, other] = version === 1 ? [one, two] : [two, one];
  const isSame = one.text === two.text;
  return {
    value: digest(current.text),
    kind: "automatic",
    version: isSame || version === 1 ? "v1" : "v2",
    ...(before !== undefined && !isSame && { older: digest(other.text) }),
    record: current.record,
  };
};

const digest = (text: string): string => hash("sha512", text, "hex");
