import type { Exception } from "./parsed-event.ts";

/** What rules and queries ask of exceptions, gathered from all of a chain. */
export interface Metadata {
  readonly types: readonly string[];
  readonly values: readonly string[];
  /** Of frames in the client's own code. */
  readonly sources: readonly string[];
  readonly functions: readonly string[];
  readonly handled: boolean;
}

export const metadataOf = (exceptions: readonly Exception[]): Metadata => {
  const own = exceptions.flatMap(({ frames }) => frames ?? []).filter((frame) => frame.in_app);
  return {
    types: [...new Set(exceptions.map(({ type }) => type))],
    values: [...new Set(exceptions.map(({ value }) => value))],
    sources: [...new Set(own.flatMap(({ source }) => source ?? []))],
    functions: [...new Set(own.flatMap(({ resolved_name }) => resolved_name ?? []))],
    handled: exceptions[0]?.mechanism?.handled ?? false,
  };
};
