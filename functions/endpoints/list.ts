import { type EndpointVersion, EndpointVersions, type SavedEndpoint, SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { invalid } from "../../lib/http/errors.ts";
import { MAX_PAGE_BYTES } from "../../lib/http/pagination.ts";
import { Users } from "../../lib/organizations/users.ts";
import type { Table } from "../../lib/ports/table.ts";
import { readWindow, type Window } from "../../lib/table/paging.ts";
import { counterKey } from "../../lib/table/partitions.ts";
import { get, getMany, list } from "../../lib/table/store.ts";

/** The filters of a list of endpoints; texts as sent. */
export interface EndpointFilter {
  readonly is_active?: string | undefined;
  readonly created_by?: string | undefined;
}

export interface Shown {
  readonly endpoint: SavedEndpoint;
  readonly version: EndpointVersion;
}

/**
 * A window of a project's endpoints in the order of their creation, each with its current version. Unfiltered, only the window
 * is read; a filter reads the project's endpoints, which people make by hand.
 */
export const listEndpoints = async (
  table: Table,
  project: number,
  filter: EndpointFilter,
  window: { readonly limit: number; readonly offset: number },
): Promise<PartialWindow<Shown>> => {
  const active = ACTIVE.get(filter.is_active?.toLowerCase());
  const creator = filter.created_by ? await knownUser(table, filter.created_by) : undefined;
  const found =
    active === undefined && creator === undefined
      ? await readWindow(table, SavedEndpoints, "inOrder", { project }, { ...window, counter: counterKey("endpointCount", project) })
      : await filtered(table, project, active, creator, window);
  const { items, read } = await withVersions(table, found.items);
  return { count: found.count, items, reached: reachedBy(window, read, found.items.length) };
};

/** The words of the filter, in any case since Python sends `False`. Any other text filters nothing. */
const ACTIVE: ReadonlyMap<string | undefined, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

/** A window of a list that may end early, where its rows are long. */
export interface PartialWindow<T> extends Window<T> {
  /** The offset at which the next window begins. */
  readonly reached: number;
}

const reachedBy = ({ limit, offset }: { readonly limit: number; readonly offset: number }, read: number, wanted: number): number =>
  offset + (read < wanted ? read : limit);

/** A window of an endpoint's versions, the newest first. */
export const listVersions = async (
  table: Table,
  endpoint: SavedEndpoint,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<PartialWindow<EndpointVersion>> => {
  const count = endpoint.current_version;
  const first = count - offset;
  const numbers = Array.from({ length: Math.max(0, Math.min(limit, first)) }, (_, index) => first - index);
  const keys = numbers.map((version) => ({ project: endpoint.project, endpoint_id: endpoint.id, version }));
  const { found, read } = await versionsUpTo(table, keys);
  return {
    count,
    items: found.toSorted((a, b) => b.version - a.version),
    reached: reachedBy({ limit, offset }, read, keys.length),
  };
};

/** Versions read at once. */
const AT_ONCE = 25;

/** The versions of the keys in their order, up to those that fill a page: one may hold a query of 300 KB. */
const versionsUpTo = async (
  table: Table,
  keys: readonly { readonly project: number; readonly endpoint_id: string; readonly version: number }[],
): Promise<{ readonly found: readonly EndpointVersion[]; readonly read: number }> => {
  const found: EndpointVersion[] = [];
  let bytes = 0;
  let read = 0;
  while (read < keys.length && bytes <= MAX_PAGE_BYTES) {
    const some = await getMany(table, EndpointVersions, keys.slice(read, read + AT_ONCE), { consistent: true });
    for (const version of some) bytes += Buffer.byteLength(version.query);
    found.push(...some);
    read += AT_ONCE;
  }
  return { found, read: Math.min(read, keys.length) };
};

const knownUser = async (table: Table, text: string): Promise<number> => {
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  const user = id === 0 ? undefined : await get(table, Users, { id });
  if (user === undefined)
    throw invalid("created_by", "Select a valid choice. That choice is not one of the available choices.", "invalid_choice");
  return user.id;
};

const filtered = async (
  table: Table,
  project: number,
  active: boolean | undefined,
  creator: number | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<Window<SavedEndpoint>> => {
  const all = await list(table, SavedEndpoints, "key", { project });
  const fitting = all
    .filter((endpoint) => active === undefined || endpoint.is_active === active)
    .filter((endpoint) => creator === undefined || endpoint.created_by === creator)
    .sort((a, b) => (`${a.created_at}#${a.id}` < `${b.created_at}#${b.id}` ? -1 : 1));
  return { count: fitting.length, items: fitting.slice(offset, offset + limit) };
};

/** An endpoint that was deleted since it was listed has no version any more, and is left out. */
const withVersions = async (
  table: Table,
  endpoints: readonly SavedEndpoint[],
): Promise<{ readonly items: readonly Shown[]; readonly read: number }> => {
  const keys = endpoints.map(({ project, id, current_version }) => ({ project, endpoint_id: id, version: current_version }));
  const { found, read } = await versionsUpTo(table, keys);
  const versions = new Map(found.map((version) => [version.endpoint_id, version]));
  const items = endpoints.slice(0, read).flatMap((endpoint) => {
    const version = versions.get(endpoint.id);
    return version === undefined ? [] : [{ endpoint, version }];
  });
  return { items, read };
};
