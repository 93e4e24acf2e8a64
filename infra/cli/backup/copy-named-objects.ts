import type { World } from "../../../lib/app/world.ts";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import { publishedKeys } from "../../../lib/iceberg/published-keys.ts";
import { type NamedObject, readNames } from "../../../lib/lake/names.ts";
import { UserError } from "../../local/user-error.ts";
import { everyOrganization } from "./every-organization.ts";
import { foldersOfOrganization, foldersOfProject } from "./named-folders.ts";

/** Takes copies of objects into a backup. */
export interface ObjectCopier {
  /** Whether the backup has an object now. One of another length than was said is none. */
  copy(key: string, named: Pick<NamedObject, "bytes">): Promise<boolean>;
  copied(): number;
}

export const incomplete = (missing: readonly string[]): UserError =>
  new UserError(
    `The store lacks ${missing.length} of the objects that the table names, such as ${missing[0]}: there is no backup of that. \`admin verify\` lists what is missing, and the guide says what to do about it. What was copied is kept, and an earlier backup in the same place is as it was.`,
  );

/** Objects that are copied side by side. */
const CONCURRENCY = 8;

type NamingParts = Pick<World, "table" | "objects" | "clock">;

/** Copies what a table names, and gives the keys of what readers need and the store does not have. Usage first: it is replaced the soonest. */
export const copyNamedObjects = async (parts: NamingParts, copier: ObjectCopier): Promise<readonly string[]> => {
  const missing: string[] = [];
  const copyAll = async (names: Iterable<readonly [string, Pick<NamedObject, "isNeeded" | "bytes">]>): Promise<void> => {
    await forEachConcurrent([...names], CONCURRENCY, async ([key, named]) => {
      if (!(await copier.copy(key, named)) && named.isNeeded) missing.push(key);
    });
  };
  const projects: number[] = [];
  for await (const organization of everyOrganization(parts.table)) {
    for (const { names } of await foldersOfOrganization(parts.table, organization.id)) await copyAll(needed(await names()));
    projects.push(...organization.projects.map(({ id }) => id));
  }
  for (const project of projects) {
    const names = await namesOf(parts, project, missing);
    await copyAll(names);
    for (const folder of foldersOfProject(parts.table, project)) await copyAll(needed(await folder.names()));
  }
  return missing;
};

const needed = <T extends Pick<NamedObject, "isNeeded">>(names: Iterable<readonly [string, T]>): readonly (readonly [string, T])[] =>
  [...names].filter(([, { isNeeded }]) => isNeeded);

/** Snapshots of published tables name files that were retired: where there are any, these are copied as long as they are there. */
const namesOf = async ({ table, objects, clock }: NamingParts, project: number, missing: string[]) => {
  const published = async (): Promise<Iterable<string>> => {
    try {
      return await publishedKeys({ table, objects }, project);
    } catch {
      missing.push(`the published tables of project ${project}`);
      return [];
    }
  };
  const names = await readNames({ table, objects, clock }, project, published, (key) => missing.push(key));
  if (names === "removed") return [];
  missing.push(...names.gone);
  const isPublished = [...names.objects.values()].some(({ what }) => what === "published");
  return isPublished ? [...names.objects] : needed(names.objects);
};
