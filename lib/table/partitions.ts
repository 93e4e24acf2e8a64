import type { Holes } from "../core/template.ts";
import { Defect } from "../core/unreachable.ts";
import type { Key } from "../ports/table.ts";
import { type KeyValue, keyPart } from "./key-part.ts";

/**
 * What becomes of a partition's items when the organization they belong to is removed:
 * deleted with the organization or the project whose id is their only hole; looked for one by one, because another hole needs a value
 * that only other items tell; deleted by the lake's own job; left to their time to live; or kept, for the reason that stands there.
 */
export type Fate = "with its organization" | "with its project" | "looked for" | "by the lake" | "expires" | "kept";

interface Partition {
  readonly pk: string;
  readonly fate: Fate;
  /** Sort keys of items that no entity describes, or that are met where no schema is carried. */
  readonly items?: Readonly<Record<string, string>>;
}

/**
 * Every partition of the single table. Keys of items without a schema are made from here, entities lie in one of these partitions,
 * what a function may write to is said by these names, and the removal of an organization goes through all of them. A test holds that
 * no key of one family can be a key of another: a hole is filled by an escaped value and never spans a `#`.
 */
export const PARTITIONS = {
  organization: {
    pk: "organization#{organization}",
    fate: "with its organization",
    // What is left to do of a removal lies here until it is done.
    items: { removal: "removal" },
  },
  aiAccessRequests: { pk: "ai-access-request#{organization}", fate: "with its organization", items: { request: "user#{user}" } },
  project: {
    pk: "project#{project}",
    fate: "with its project",
    items: { project: "project", quota: "quota", liveRuns: "live-runs", secretKeyLabel: "secret-key-label#{label}" },
  },
  accounts: { pk: "project#{project}#accounts", fate: "with its project" },
  endpointLog: { pk: "project#{project}#endpoint-log#{endpoint}", fate: "looked for" },
  externalReferences: { pk: "project#{project}#external-references", fate: "with its project" },
  externalLinks: { pk: "project#{project}#external-links", fate: "with its project", items: { link: "{issue}#{integration}#{context}" } },

  // Error tracking, which ingest writes to as well.
  issues: { pk: "errors#{project}#issues", fate: "with its project" },
  fingerprints: { pk: "errors#{project}#fingerprints", fate: "with its project" },
  movedFingerprints: { pk: "errors#{project}#moved-fingerprints", fate: "with its project" },
  stackFrames: { pk: "errors#{project}#frames", fate: "with its project" },
  releases: { pk: "errors#{project}#releases", fate: "with its project" },
  releaseHashes: { pk: "errors#{project}#release-hashes", fate: "with its project", items: { hash: "hash#{hash_id}" } },
  /** What ingest needs of a project's configuration, so that one query brings all of it. */
  errorTracking: { pk: "errors#{project}#error-tracking", fate: "with its project" },
  exceptionLimits: { pk: "errors#{project}#exception-limits", fate: "with its project", items: { bucket: "limit#{scope}" } },
  exceptionCounts: { pk: "errors#{project}#exception-counts", fate: "with its project", items: { count: "bucket#{bucket}#{id}" } },
  spikes: { pk: "errors#{project}#spikes", fate: "with its project" },
  silences: { pk: "errors#{project}#silences", fate: "with its project", items: { silence: "silence#{issue}" } },

  // The lengths of lists: whoever adds to one or takes from it counts in the same transaction.
  endpointCount: { pk: "count#project#{project}#endpoints", fate: "with its project", items: { count: "count" } },
  externalReferenceCount: { pk: "count#external-references#{project}", fate: "with its project", items: { count: "count" } },
  issueCount: { pk: "count#errors#issues#{project}", fate: "with its project", items: { count: "count" } },
  /** Of the visible ones. */
  fingerprintCount: { pk: "count#errors#fingerprints#{project}", fate: "with its project", items: { count: "count" } },
  stackFrameCount: { pk: "count#errors#frames#{project}", fate: "with its project", items: { count: "count" } },
  releaseCount: { pk: "count#errors#releases#{project}", fate: "with its project", items: { count: "count" } },
  groupingRuleCount: { pk: "count#grouping-rules#{project}", fate: "with its project", items: { count: "count" } },
  severityRuleCount: { pk: "count#severity-rules#{project}", fate: "with its project", items: { count: "count" } },

  /** The catalogue of a project's part of the lake; its head stays as the tombstone, so that no drain begins it anew. */
  lake: {
    pk: "lake#{project}",
    fate: "by the lake",
    items: {
      head: "head",
      types: "types",
      groups: "groups",
      commit: "commit#{id}",
      retired: "retired#{id}",
      seal: "seal#{month}",
      failed: "failed#{task}",
    },
  },
  /** Which objects hold an organization's counts of what it stored. Owed for, so kept. */
  usage: { pk: "usage#{organization}", fate: "kept", items: { month: "{month}" } },

  // The books: what was agreed, charged and paid must be told long after the customer is gone, and the last period is still invoiced.
  billing: { pk: "billing#{organization}", fate: "kept" },
  invoices: { pk: "billing#{organization}#invoices", fate: "kept" },
  payments: { pk: "billing#{organization}#payments", fate: "kept" },
  creditUses: { pk: "billing#{organization}#credits", fate: "kept" },
  commandReplays: { pk: "billing#{organization}#replays", fate: "expires" },
  // What the deployment sells.
  catalogues: { pk: "billing-catalogues", fate: "kept" },
  couponCampaigns: { pk: "coupon-campaigns", fate: "kept" },
  couponCodes: { pk: "coupon#{code}", fate: "kept" },
  license: { pk: "license", fate: "kept" },
  sandboxRateCards: { pk: "sandbox-rate-cards", fate: "kept" },

  // People belong to themselves, and may be in other organizations.
  users: { pk: "user#{user}", fate: "kept" },
  emails: { pk: "unique#email#{email}", fate: "kept", items: { marker: "unique" } },
  /** Given back by the removal itself, at once. */
  slugs: { pk: "unique#slug#{slug}", fate: "looked for", items: { marker: "unique" } },
  accountIds: { pk: "unique#account#{project}#{external_id}", fate: "looked for", items: { marker: "unique" } },
  /** Secret ones of projects go; personal ones are their users'. */
  keys: { pk: "key#{hash}", fate: "looked for", items: { key: "key" } },
  /** Closed, and kept as a tombstone: a public token must never lead to another project. */
  tokens: { pk: "token#{hash}", fate: "kept", items: { token: "token" } },

  throttle: { pk: "throttle#{kind}#{who}#{rate}", fate: "expires", items: { throttle: "throttle" } },
  /** No number is given twice. */
  sequences: { pk: "sequence#{sequence}", fate: "kept", items: { sequence: "sequence" } },
  /** The names by which an operator's document calls what it made. */
  handles: { pk: "handle#{kind}", fate: "kept" },
  /** Where the last sweep had no time left. */
  sweep: { pk: "sweep", fate: "kept", items: { place: "place", recounts: "recounts" } },
} as const satisfies Readonly<Record<string, Partition>>;

export type PartitionName = keyof typeof PARTITIONS;
export const partitionNames = Object.keys(PARTITIONS) as readonly PartitionName[];
type Pk<N extends PartitionName> = (typeof PARTITIONS)[N]["pk"];
type Items<N extends PartitionName> = (typeof PARTITIONS)[N] extends { readonly items: infer I } ? I : never;
type Sk<N extends PartitionName, I> = I extends keyof Items<N> ? Items<N>[I] & string : never;
type Values<T extends string> = { readonly [H in Holes<T>]: KeyValue };

/** The key of a partition. */
export const pkOf = <N extends PartitionName>(name: N, values: Values<Pk<N>>): string => filled(PARTITIONS[name].pk, values, "pk");

/** The sort key of an item that no entity describes. */
export const skOf = <N extends PartitionName, I extends keyof Items<N> & string>(name: N, item: I, values: Values<Sk<N, I>>): string =>
  filled(itemsOf(name)[item] ?? missing(name), values, "sk");

/** The key of an item that no entity describes, or that is met where no schema is carried. */
export const keyIn = <N extends PartitionName, I extends keyof Items<N> & string>(
  name: N,
  item: I,
  values: Values<Pk<N> | Sk<N, I>>,
): Key => ({ pk: filled(PARTITIONS[name].pk, values, "pk"), sk: filled(itemsOf(name)[item] ?? missing(name), values, "sk") });

/** The partitions that end with an organization or a project, all of which hold nothing but what is its own. */
export const partitionsEnding = (fate: "with its organization" | "with its project", id: KeyValue): readonly string[] =>
  Object.values(PARTITIONS)
    .filter((partition) => partition.fate === fate)
    .map(({ pk }) => pk.replace(/\{[^}]+\}/, keyPart(id, "pk")));

/** The lists of a project whose length is kept. */
type CountName = { [N in PartitionName]: Pk<N> extends `count#${string}` ? N : never }[PartitionName];

/** Where a list of a project keeps its length. */
export const counterOf = (list: CountName, project: number): Key => keyIn(list, "count", { project });

const itemsOf = (name: PartitionName): Readonly<Record<string, string>> => {
  const partition: Partition = PARTITIONS[name];
  return partition.items ?? {};
};

const filled = (template: string, values: Readonly<Record<string, KeyValue>>, place: "pk" | "sk"): string =>
  template.replace(/\{([^}]+)\}/g, (_, hole: string) => keyPart(values[hole] ?? missing(hole), place));

const missing = (what: string): never => {
  throw new Defect(`a key lacks ${what}`);
};
