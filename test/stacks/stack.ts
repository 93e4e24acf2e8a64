/** A stack in the form in which an SDK sends it, and the issue into which it must fall. */
export interface Stack {
  readonly told: string;
  /** Stacks of one SDK fall into one issue where their names are the same, and into others where they differ. */
  readonly issue: string;
  /** The same by the first version of grouping, where that one put it elsewhere. */
  readonly before?: string;
  readonly properties: Properties;
}

export interface Properties {
  readonly $lib: string;
  readonly $lib_version?: string;
  readonly $exception_list: readonly object[];
}

export type Frame = Readonly<Record<string, unknown>>;

/** SDKs that sent the frame that failed first. */
const FAILURE_FIRST: ReadonlySet<string> = new Set([
  "posthog-android",
  "posthog-flutter",
  "posthog-elixir",
  "posthog-java",
  "posthog-server",
]);

/** An exception with its frames, the one that failed last, in the order in which the SDK sends them. */
const exceptionOf = (lib: string, type: string, value: string, frames: readonly Frame[] | null, more: object = {}): object => ({
  type,
  value,
  mechanism: { type: "generic", handled: true, synthetic: false },
  ...more,
  ...(frames !== null && { stacktrace: { type: "raw", frames: FAILURE_FIRST.has(lib) ? frames.toReversed() : frames } }),
});

/** The properties of an event with one exception. */
export const sent = (lib: string, type: string, value: string, frames: readonly Frame[] | null, more: object = {}): Properties => ({
  $lib: lib,
  $exception_list: [exceptionOf(lib, type, value, frames, more)],
});

/** The properties of an event with a chain, the exception that was caught first. */
export const sentChain = (lib: string, chain: readonly (readonly [string, string, readonly Frame[] | null])[]): Properties => ({
  $lib: lib,
  $exception_list: chain.map(([type, value, frames]) => exceptionOf(lib, type, value, frames)),
});
