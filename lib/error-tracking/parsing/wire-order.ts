import type { RawException } from "./exception.ts";

/** A library sends these in reverse order, before the version `until` where there is one. */
interface Reversal {
  readonly what: "frames" | "exceptions";
  readonly until?: readonly [number, number, number];
}

const REVERSED: ReadonlyMap<unknown, Reversal> = new Map<unknown, Reversal>([
  ["posthog-android", { what: "frames" }],
  ["posthog-flutter", { what: "frames" }],
  ["posthog-elixir", { what: "frames" }],
  ["posthog-java", { what: "frames" }],
  ["posthog-server", { what: "frames" }],
  ["posthog-rs", { what: "frames", until: [0, 19, 0] }],
  ["posthog-php", { what: "frames", until: [4, 11, 0] }],
  ["posthog-go", { what: "frames", until: [1, 19, 0] }],
  ["posthog-python", { what: "exceptions" }],
]);

/** The exceptions in one order for all libraries: the caught one first, and the frame that failed last. */
export const inOneOrder = (exceptions: readonly RawException[], lib: unknown, version: unknown): readonly RawException[] => {
  const reversal = REVERSED.get(lib);
  if (reversal === undefined || (reversal.until !== undefined && isFrom(reversal.until, version))) return exceptions;
  if (reversal.what === "exceptions") return exceptions.toReversed();
  return exceptions.map((exception) => ({ ...exception, stack: withFramesReversed(exception.stack) }));
};

const withFramesReversed = (stack: RawException["stack"]): RawException["stack"] => {
  if (stack === null) return null;
  return stack.type === "raw"
    ? { type: "raw", frames: stack.frames.toReversed() }
    : { type: "resolved", frames: stack.frames.toReversed() };
};

const VERSION = /^\s*v?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?/;

/** Whether a version is at least another one; what cannot be read is old. */
const isFrom = (least: readonly number[], version: unknown): boolean => {
  const match = typeof version === "string" ? VERSION.exec(version) : null;
  if (match === null) return false;
  for (const [place, wanted] of least.entries()) {
    const part = Number(match[place + 1] ?? 0);
    if (part !== wanted) return part > wanted;
  }
  return true;
};
