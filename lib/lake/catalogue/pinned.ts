import type { Commit, Manifest, StateManifest } from "./catalogue.ts";

/** One state of a project's catalogue, as a reader pinned it: nothing in it changes while it is used. */
export interface PinnedState {
  readonly project: number;
  /** By partition; only those in the asked range were read. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Commits with at least one segment in the asked range that its partition's manifest has not absorbed, oldest id first; cut to those segments. */
  readonly waiting: readonly Commit[];
  readonly state: StateManifest | null;
  /** Commits whose deltas the state has not absorbed, oldest id first. */
  readonly waitingDeltas: readonly Commit[];
  /** A digest of all that was read: equal digests mean equal inputs. */
  readonly digest: string;
}
