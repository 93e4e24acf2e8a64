import { forEachConcurrent } from "../core/concurrency.ts";
import type { Clock, Ids } from "../ports/system.ts";
import { ConditionFailed, type Item, type Key, type Table, type Write } from "../ports/table.ts";
import { type Layout, plainItem, plainKey } from "../table/entity.ts";
import { keyIn, within } from "../table/partitions.ts";
import { ABSENT, markerOwner, transact } from "../table/transact.ts";

/** Events' facts about a group that is an account. Kept free of zod for ingest's sake. */
export interface GroupSighting {
  /** The group's key: the account's external id. */
  readonly key: string;
  /** Its name, where one was said. */
  readonly name: string | undefined;
  /** When that was, milliseconds since 1970 of the event. */
  readonly at: number;
}

/** An account and its marker are two writes: so many are made in one transaction. */
const AT_ONCE = 50;

/** So many times as many accounts are worked on side by side, and of each as many are renamed: what was ingested with them waits for all. */
const CONCURRENCY = 4;

/** Where accounts lie, for those who carry no schema. */
export const ACCOUNT_LAYOUT = {
  name: "account",
  version: 1,
  key: within("accounts", "account#{id}", { project: "project_id" }),
  patterns: {},
} as const satisfies Layout;

/** Where the marker of an external id lies; it names the account's id. */
export const externalIdMarker = (project: number, externalId: string): Key =>
  keyIn("accountIds", "marker", { project, external_id: Buffer.from(externalId).toString("base64url") });

/** An account of which nothing is known yet besides its name. */
export const newAccount = <T extends { readonly id: string; readonly external_id: string; readonly name: string }>(named: T) => ({
  ...named,
  properties: {},
  tags: [],
  relationships: {},
  custom_properties: {},
  ignored_at: null,
  churned_at: null,
});

/**
 * Makes an account of every group that has none, and renames those that were given a newer name, by the time of the events and not
 * of their arrival. Safe to repeat: what is known already costs reads only.
 */
export const keepGroupAccounts = async (
  parts: { readonly table: Table; readonly ids: Ids; readonly clock: Clock },
  project: number,
  sightings: readonly GroupSighting[],
): Promise<void> => {
  const chunks = Array.from({ length: Math.ceil(sightings.length / AT_ONCE) }, (_, at) =>
    sightings.slice(at * AT_ONCE, (at + 1) * AT_ONCE),
  );
  await forEachConcurrent(chunks, CONCURRENCY, (some) => keepSome(parts, project, some));
};

const keepSome = async (parts: Parameters<typeof keepGroupAccounts>[0], project: number, some: readonly GroupSighting[]): Promise<void> => {
  const { table } = parts;
  const markers = await table.getMany(
    some.map(({ key }) => externalIdMarker(project, key)),
    { consistent: true },
  );
  const ids = new Map(markers.map((marker) => [marker.pk, markerOwner(marker)]));
  const accountId = ({ key }: GroupSighting): string | undefined => ids.get(externalIdMarker(project, key).pk);
  await make(
    parts,
    project,
    some.filter((each) => accountId(each) === undefined),
  );
  const named = some.filter((each) => each.name !== undefined && accountId(each) !== undefined);
  const keys = named.map((each) => plainKey(ACCOUNT_LAYOUT, { project_id: project, id: accountId(each) ?? "" }));
  const stored = new Map((await table.getMany(keys)).map((item) => [item.sk, item]));
  await forEachConcurrent(named.entries(), CONCURRENCY, async ([at, { name = "", at: namedAt }]) => {
    const key = keys[at];
    if (key !== undefined && isNews(stored.get(key.sk), name, namedAt)) await rename(table, key, name, namedAt);
  });
};

const make = async (
  { table, ids, clock }: Parameters<typeof keepGroupAccounts>[0],
  project: number,
  some: readonly GroupSighting[],
): Promise<void> => {
  if (some.length === 0) return;
  const created_at = new Date(clock.now()).toISOString();
  const both = some.map(({ key, name, at }): readonly Write[] => {
    const id = ids.uuid();
    const account = newAccount({ id, project_id: project, external_id: key, name: name ?? key, created_at });
    const item = plainItem(ACCOUNT_LAYOUT, { ...account, ...(name !== undefined && { named_at: at }) });
    const marker = { ...externalIdMarker(project, key), entity: "unique", v: 1, owner: id };
    return [
      { kind: "put", item: marker, when: ABSENT },
      { kind: "put", item, when: ABSENT },
    ];
  });
  try {
    await transact(table, both.flat());
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // Somebody else made one of them meanwhile: the others by themselves.
    for (const writes of both) {
      await transact(table, writes).catch((thrown: unknown) => {
        if (!(thrown instanceof ConditionFailed)) throw thrown;
      });
    }
  }
};

const isNews = (stored: Item | undefined, name: string, at: number): boolean =>
  stored !== undefined && stored.name !== name && !(typeof stored.named_at === "number" && stored.named_at >= at);

const rename = async (table: Table, key: Key, name: string, at: number): Promise<void> => {
  try {
    await table.update(
      key,
      { set: { name, named_at: at }, add: { rev: 1 } },
      {
        kind: "all",
        of: [
          { kind: "present" },
          {
            kind: "any",
            of: [
              { kind: "lacks", attribute: "named_at" },
              { kind: "less", attribute: "named_at", value: at },
            ],
          },
        ],
      },
    );
  } catch (error) {
    // A newer name came first, or the account is gone.
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
