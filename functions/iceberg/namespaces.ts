import type { World } from "../../lib/app/world.ts";
import type { PersonalCaller } from "../../lib/auth/callers.ts";
import { reachedPlaces } from "../../lib/auth/reached-places.ts";
import { readableProject } from "../../lib/auth/reader-access.ts";
import type { Project } from "../../lib/projects/projects.ts";
import { badRequest, noSuchNamespace } from "./errors.ts";

/** Projects have names that change and that two of them may share: a namespace is called by the id, as an identifier that SQL takes without quotes. */
export const namespaceName = (project: number): string => `project_${project}`;

const NAME = /^project_([1-9]\d{0,14})$/;

/** The project behind a namespace. Throws 404 for one that the caller may not read, as for one that is not there. */
export const namespaceProject = async (world: World, caller: PersonalCaller, name: string): Promise<Project> => {
  const [, id] = NAME.exec(name) ?? [];
  const project = id === undefined ? undefined : await readableProject(world, caller, Number(id));
  if (project === undefined) throw noSuchNamespace(name);
  return project;
};

export const namespaceBody = ({ id, name }: Project) => ({
  namespace: [namespaceName(id)],
  properties: { comment: name, project_id: String(id) },
});

/** The query of a list of namespaces. */
export interface NamespacesQuery {
  /** The namespace whose own are asked for; there are none below the first level. */
  readonly parent: string | undefined;
  /** Where the last page ended, empty for the first one; undefined for a client that wants all at once. */
  readonly pageToken: string | undefined;
  readonly pageSize: string | undefined;
}

/** The namespaces that the caller may read, by their projects' ids. Throws 404 for a parent that is none, and 400 for a page that is none. */
export const listNamespaces = async (world: World, caller: PersonalCaller, { parent, pageToken, pageSize }: NamespacesQuery) => {
  if (parent) {
    await namespaceProject(world, caller, parent);
    return { namespaces: [] };
  }
  const ids = (await reachedPlaces(world.table, caller)).flatMap(({ projects }) => projects.map(({ id }) => id)).sort((a, b) => a - b);
  if (pageToken === undefined) return { namespaces: named(ids) };
  const rest = ids.filter((id) => id > lastOfPage(pageToken));
  const page = rest.slice(0, pageLength(pageSize));
  return { namespaces: named(page), "next-page-token": page.length < rest.length ? String(page.at(-1)) : null };
};

const named = (ids: readonly number[]): readonly (readonly [string])[] => ids.map((id) => [namespaceName(id)]);

const lastOfPage = (token: string): number => {
  if (!/^\d{0,15}$/.test(token)) throw badRequest("pageToken is not one that this catalogue gave.");
  return Number(token);
};

const MOST_OF_PAGE = 1_000;

const pageLength = (text: string | undefined): number => {
  if (text === undefined || text === "") return MOST_OF_PAGE;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw badRequest("pageSize must be a whole number above 0.");
  return Math.min(Number(text), MOST_OF_PAGE);
};
