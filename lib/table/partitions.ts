import type { Holes } from "../core/template.ts";
import { Defect } from "../core/unreachable.ts";
import type { IndexName, Key } from "../ports/table.ts";
import { type KeyValue, keyPart } from "./key-part.ts";

/**
 * What becomes of a partition's items when the organization they belong to is removed:
 * deleted with the organization or the project whose id is their only hole; enumerated, because another hole needs a value
 * that only other items tell; deleted by the lake's own job; left to their time to live; or kept, for the reason that stands there.
 */
export type OnRemoval = "with its organization" | "with its project" | "enumerate" | "by the lake" | "expires" | "kept";

interface Partition {
  readonly pk: string;
  readonly onRemoval: OnRemoval;
  /** Sort keys of items that no entity describes, or that are met where no schema is carried. */
  readonly items?: Readonly<Record<string, string>>;
  /** The partition keys under which each index lists its items. To read the one is not to list the others. */
  readonly indexes?: Partial<Readonly<Record<IndexName, readonly string[]>>>;
}

/**
 * Every partition of the single table, and the only place that says a partition's key: entities lie `within` one, keys of items without a
 * schema are made from here, what a function may read and write is said by these names, and the removal of an organization goes through all
 * of them. A test holds that no key of one family can be a key of another: a hole is filled by an escaped value and never spans a `#`.
 */
export const PARTITIONS = {
  organization: {
    pk: "organization#{organization}",
    onRemoval: "with its organization",
    indexes: { gsi1: ["organizations", "user#{user}#memberships"], due: ["organization-removals"] },
    // What is left to do of a removal lies here until it is done.
    items: { removal: "removal" },
  },
  aiAccessRequests: { pk: "ai-access-request#{organization}", onRemoval: "with its organization", items: { request: "user#{user}" } },
  project: {
    pk: "project#{project}",
    onRemoval: "with its project",
    indexes: {
      gsi1: ["organization#{organization}#projects", "organization#{organization}#access#{user}"],
      gsi2: ["project#{project}#endpoints"],
      due: ["materialise"],
    },
    items: {
      project: "project",
      quota: "quota",
      liveRuns: "live-runs",
      secretKeyLabel: "secret-key-label#{label}",
      // The properties of events that have columns of their own.
      earned: "earned",
      // Those that queries asked for: their types are never evicted.
      typeMarks: "type-marks",
    },
  },
  accounts: { pk: "project#{project}#accounts", onRemoval: "with its project" },
  /** What came as one from files, or under one name that clients gave it: it can be taken back as a whole. */
  imports: { pk: "project#{project}#imports", onRemoval: "with its project" },
  /** Who was erased, without anything that says who it was. */
  erasures: { pk: "project#{project}#erasures", onRemoval: "with its project", items: { salt: "salt" } },
  endpointLog: { pk: "project#{project}#endpoint-log#{endpoint}", onRemoval: "enumerate" },
  externalReferences: {
    pk: "project#{project}#external-references",
    onRemoval: "with its project",
    indexes: {
      gsi1: ["project#{project}#external-references#{visibility}"],
      gsi2: ["project#{project}#external-references#{visibility}"],
    },
  },
  externalLinks: {
    pk: "project#{project}#external-links",
    onRemoval: "with its project",
    items: { link: "{issue}#{integration}#{context}" },
  },

  // Error tracking, which ingest writes to as well.
  issues: { pk: "errors#{project}#issues", onRemoval: "with its project" },
  fingerprints: {
    pk: "errors#{project}#fingerprints",
    onRemoval: "with its project",
    indexes: {
      gsi1: ["errors#{project}#issue#{issue}#fingerprints"],
      gsi2: ["errors#{project}#fingerprints#{visibility}"],
    },
  },
  /** What was merged into other issues, and what is still to be moved because of it. */
  mergedIssues: {
    pk: "errors#{project}#merged-issues",
    onRemoval: "with its project",
    indexes: { gsi1: ["errors#{project}#merged-into#{issue}"], due: ["issue-moves"] },
  },
  /** Which issue each fingerprint has that ever had another: read where an index would lag. */
  issueFingerprints: { pk: "errors#{project}#issue-fingerprints", onRemoval: "with its project" },
  /** What was done with issues and by whom; each entry is forgotten after a year. */
  issueActivity: {
    pk: "errors#{project}#issue-activity",
    onRemoval: "with its project",
    indexes: { gsi2: ["errors#{project}#issue-activity"] },
  },
  movedFingerprints: { pk: "errors#{project}#moved-fingerprints", onRemoval: "with its project" },
  stackFrames: {
    pk: "errors#{project}#frames",
    onRemoval: "with its project",
    indexes: { gsi1: ["errors#{project}#chunk#{chunk}#frames"], gsi2: ["errors#{project}#frames"] },
  },
  releases: { pk: "errors#{project}#releases", onRemoval: "with its project" },
  releaseHashes: { pk: "errors#{project}#release-hashes", onRemoval: "with its project", items: { hash: "hash#{hash_id}" } },
  /** Source maps and the like; their files lie in the object store. */
  symbolSets: { pk: "errors#{project}#symbol-sets", onRemoval: "with its project" },
  /** The set of each chunk, which is what ingest asks for. */
  symbolSetRefs: { pk: "errors#{project}#symbol-set-refs", onRemoval: "with its project" },
  /** What ingest needs of a project's configuration, so that one query brings all of it. */
  errorTracking: { pk: "errors#{project}#error-tracking", onRemoval: "with its project" },
  exceptionLimits: {
    pk: "errors#{project}#exception-limits",
    onRemoval: "with its project",
    items: { bucket: "limit#{scope}", opened: "opened#{day}" },
  },
  exceptionCounts: { pk: "errors#{project}#exception-counts", onRemoval: "with its project", items: { count: "bucket#{bucket}#{id}" } },
  spikes: {
    pk: "errors#{project}#spikes",
    onRemoval: "with its project",
    indexes: { gsi1: ["errors#{project}#issue#{issue}#spikes"] },
  },
  /** By the day on which they came. */
  unreadExceptions: { pk: "errors#{project}#unread-exceptions", onRemoval: "with its project", items: { day: "day#{day}" } },
  /** What alert rules have told and are still to tell, and how that went. */
  issueAlerts: {
    pk: "errors#{project}#alerts",
    onRemoval: "with its project",
    indexes: { due: ["issue-alerts#{way}"] },
    items: { told: "told#{rule}#{about}", hour: "hour#{rule}#{hour}" },
  },
  snoozes: { pk: "errors#{project}#silences", onRemoval: "with its project", items: { snooze: "silence#{issue}" } },

  // The lengths of lists: whoever adds to one or takes from it counts in the same transaction.
  personalKeyCount: { pk: "count#user#{user}#personal-keys", onRemoval: "kept", items: { count: "count" } },
  /** Of the organizations that a person owns. */
  ownedOrganizationCount: { pk: "count#user#{user}#organizations", onRemoval: "kept", items: { count: "count" } },
  domainCount: { pk: "count#organization#{organization}#domains", onRemoval: "with its organization", items: { count: "count" } },
  integrationCount: { pk: "count#project#{project}#integrations", onRemoval: "with its project", items: { count: "count" } },
  relationshipCount: { pk: "count#project#{project}#account-relationships", onRemoval: "with its project", items: { count: "count" } },
  customPropertyCount: { pk: "count#project#{project}#account-properties", onRemoval: "with its project", items: { count: "count" } },
  secretKeyCount: { pk: "count#project#{project}#secret-keys", onRemoval: "with its project", items: { count: "count" } },
  endpointCount: { pk: "count#project#{project}#endpoints", onRemoval: "with its project", items: { count: "count" } },
  importCount: { pk: "count#project#{project}#imports", onRemoval: "with its project", items: { count: "count" } },
  dashboardCount: { pk: "count#project#{project}#dashboards", onRemoval: "with its project", items: { count: "count" } },
  externalReferenceCount: { pk: "count#external-references#{project}", onRemoval: "with its project", items: { count: "count" } },
  issueCount: { pk: "count#errors#issues#{project}", onRemoval: "with its project", items: { count: "count" } },
  /** Of the visible ones. */
  fingerprintCount: { pk: "count#errors#fingerprints#{project}", onRemoval: "with its project", items: { count: "count" } },
  stackFrameCount: { pk: "count#errors#frames#{project}", onRemoval: "with its project", items: { count: "count" } },
  releaseCount: { pk: "count#errors#releases#{project}", onRemoval: "with its project", items: { count: "count" } },
  /** Of the sets, and of the bytes of their files. */
  symbolSetCount: {
    pk: "count#errors#symbol-sets#{project}",
    onRemoval: "with its project",
    items: { count: "count", bytes: "bytes" },
  },
  groupingRuleCount: { pk: "count#grouping-rules#{project}", onRemoval: "with its project", items: { count: "count" } },
  assignmentRuleCount: { pk: "count#assignment-rules#{project}", onRemoval: "with its project", items: { count: "count" } },
  alertRuleCount: { pk: "count#alert-rules#{project}", onRemoval: "with its project", items: { count: "count" } },
  severityRuleCount: { pk: "count#severity-rules#{project}", onRemoval: "with its project", items: { count: "count" } },

  /** The catalogue of a project's part of the lake; its head stays as the tombstone, so that no drain begins it anew. */
  lake: {
    pk: "lake#{project}",
    onRemoval: "by the lake",
    indexes: { due: ["due#{shard}", "later#{shard}", "failing"] },
    items: {
      head: "head",
      types: "types",
      groups: "groups",
      commit: "commit#{id}",
      retired: "retired#{id}",
      seal: "seal#{month}",
      publish: "publish#{slot}",
      published: "published#{table}",
      failed: "failed#{task}",
      removals: "removals",
    },
  },
  /** Which objects hold an organization's counts of what it stored. Owed for, so kept. */
  usage: { pk: "usage#{organization}", onRemoval: "kept", items: { month: "{month}" } },

  // The books: what was agreed, charged and paid must be told long after the customer is gone, and the last period is still invoiced.
  billing: { pk: "billing#{organization}", onRemoval: "kept", indexes: { due: ["billing-grants", "billing-trials"] } },
  invoices: { pk: "billing#{organization}#invoices", onRemoval: "kept", indexes: { due: ["billing-invoices"] } },
  payments: { pk: "billing#{organization}#payments", onRemoval: "kept", indexes: { due: ["billing-attempts", "billing-holds"] } },
  creditUses: { pk: "billing#{organization}#credits", onRemoval: "kept" },
  commandReplays: { pk: "billing#{organization}#replays", onRemoval: "expires" },
  /** What was told of limits, and what is to be sent to endpoints of the customer's: nobody is told anything once it is gone. */
  alerts: { pk: "billing#{organization}#alerts", onRemoval: "with its organization", indexes: { due: ["billing-alerts"] } },
  webhooks: { pk: "billing#{organization}#webhooks", onRemoval: "with its organization" },
  notices: {
    pk: "billing#{organization}#notices",
    onRemoval: "with its organization",
    indexes: { due: ["billing-notices", "billing-deliveries"] },
  },
  // What the deployment sells.
  catalogues: { pk: "billing-catalogues", onRemoval: "kept" },
  couponCampaigns: { pk: "coupon-campaigns", onRemoval: "kept" },
  couponCodes: { pk: "coupon#{code}", onRemoval: "kept" },
  license: { pk: "license", onRemoval: "kept" },
  sandboxRateCards: { pk: "sandbox-rate-cards", onRemoval: "kept" },

  // People belong to themselves, and may be in other organizations.
  users: { pk: "user#{user}", onRemoval: "kept" },
  emails: { pk: "unique#email#{email}", onRemoval: "kept", items: { marker: "unique" } },
  /** Given back by the removal itself, at once. */
  slugs: { pk: "unique#slug#{slug}", onRemoval: "enumerate", items: { marker: "unique" } },
  accountIds: { pk: "unique#account#{project}#{external_id}", onRemoval: "enumerate", items: { marker: "unique" } },
  /** Secret ones of projects go; personal ones are their users'. */
  keys: {
    pk: "key#{hash}",
    onRemoval: "enumerate",
    indexes: {
      gsi1: ["user#{user}#personal-keys", "project#{project}#secret-keys", "project#{project}#secret-token"],
      gsi2: ["key-id#{id}"],
    },
    items: { key: "key" },
  },
  /** Closed, and kept as a tombstone: a public token must never lead to another project. */
  tokens: { pk: "token#{hash}", onRemoval: "kept", items: { token: "token" } },

  /** What opens a dashboard to everybody who has its address; goes with the dashboard. */
  sharedLinks: { pk: "shared-link#{hash}", onRemoval: "enumerate", items: { link: "link" } },

  throttle: { pk: "throttle#{kind}#{who}#{rate}", onRemoval: "expires", items: { throttle: "throttle" } },
  /** No number is given twice. */
  sequences: { pk: "sequence#{sequence}", onRemoval: "kept", items: { sequence: "sequence" } },
  /** The names by which an operator's document calls what it made. */
  handles: { pk: "handle#{kind}", onRemoval: "kept" },
  /** Whose turn it is in the lanes of background work. */
  lanes: { pk: "lane#{lane}", onRemoval: "kept" },
  /** Where the last sweep had no time left. */
  sweep: { pk: "sweep", onRemoval: "kept", items: { place: "place", recounts: "recounts" } },
} as const satisfies Readonly<Record<string, Partition>>;

export type PartitionName = keyof typeof PARTITIONS;
export const partitionNames = Object.keys(PARTITIONS) as readonly PartitionName[];

type Listed<P> = P extends { readonly indexes: infer I } ? Extract<I[keyof I], readonly string[]>[number] : never;
/** A key under which an index lists items. */
export type ListKey = { [N in PartitionName]: Listed<(typeof PARTITIONS)[N]> }[PartitionName];

/** The keys under which an index lists items of a partition. */
export const listKeys = (name: PartitionName, index: IndexName): readonly string[] => {
  const { indexes = {} }: Partition = PARTITIONS[name];
  return indexes[index] ?? [];
};
type Pk<N extends PartitionName> = (typeof PARTITIONS)[N]["pk"];
type Items<N extends PartitionName> = (typeof PARTITIONS)[N] extends { readonly items: infer I } ? I : never;
type Sk<N extends PartitionName, I> = I extends keyof Items<N> ? Items<N>[I] & string : never;
type Values<T extends string> = { readonly [H in Holes<T>]: KeyValue };

/** The key of a partition. */
export const partitionKey = <N extends PartitionName>(name: N, values: Values<Pk<N>>): string => filled(PARTITIONS[name].pk, values, "pk");

/** The sort key of an item that no entity describes. */
export const sortKey = <N extends PartitionName, I extends keyof Items<N> & string>(name: N, item: I, values: Values<Sk<N, I>>): string =>
  filled(itemTemplates(name)[item] ?? missing(name), values, "sk");

/** The key of an item that no entity describes, or that is met where no schema is carried. */
export const keyIn = <N extends PartitionName, I extends keyof Items<N> & string>(
  name: N,
  item: I,
  values: Values<Pk<N> | Sk<N, I>>,
): Key => ({ pk: filled(PARTITIONS[name].pk, values, "pk"), sk: filled(itemTemplates(name)[item] ?? missing(name), values, "sk") });

/** A partition's key whose holes are called as an entity calls its attributes. */
type Renamed<T extends string, A> = T extends `${infer Before}{${infer Hole}}${infer After}`
  ? `${Before}{${Hole extends keyof A ? A[Hole] & string : Hole}}${Renamed<After, A>}`
  : T;

/**
 * The key of an entity as templates: the partition that it lies in and its sort key. `attributes` names the entity's own attributes for
 * those holes of the partition that it calls otherwise. Guarantee of the cast: the holes are replaced just as `Renamed` says.
 */
export const within = <
  N extends PartitionName,
  const S extends string,
  const A extends Partial<Record<Holes<Pk<N>>, string>> = Record<never, string>,
>(
  name: N,
  sk: S,
  attributes?: A,
): { readonly pk: Renamed<Pk<N>, A>; readonly sk: S } => {
  const names: Readonly<Record<string, string>> = { ...attributes };
  const pk = PARTITIONS[name].pk.replace(/\{([^}]+)\}/g, (_, hole: string) => `{${names[hole] ?? hole}}`);
  return { pk: pk as Renamed<Pk<N>, A>, sk };
};

/** The partitions that end with an organization or a project, all of which hold nothing but what is its own. */
export const partitionsRemovedWith = (onRemoval: "with its organization" | "with its project", id: KeyValue): readonly string[] =>
  Object.values(PARTITIONS)
    .filter((partition) => partition.onRemoval === onRemoval)
    .map(({ pk }) => pk.replace(/\{[^}]+\}/, keyPart(id, "pk")));

/** The lists of a project whose length is kept. */
type CountName = { [N in PartitionName]: Pk<N> extends `count#${string}{project}${string}` ? N : never }[PartitionName];

/** Where a list of a project keeps its length. */
export const counterKey = (list: CountName, project: number): Key => keyIn(list, "count", { project });

const itemTemplates = (name: PartitionName): Readonly<Record<string, string>> => {
  const partition: Partition = PARTITIONS[name];
  return partition.items ?? {};
};

const filled = (template: string, values: Readonly<Record<string, KeyValue>>, place: "pk" | "sk"): string =>
  template.replace(/\{([^}]+)\}/g, (_, hole: string) => keyPart(values[hole] ?? missing(hole), place));

const missing = (what: string): never => {
  throw new Defect(`a key lacks ${what}`);
};
