import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { RunProject } from "../../../lib/endpoints/run-request.ts";
import { runTrees, type TreeRun } from "../../../lib/endpoints/tree-runs.ts";
import { call, constant, field, from, select } from "../../../lib/hogql/build.ts";
import { invalid, notFound } from "../../../lib/http/errors.ts";
import { personCondition } from "./person-condition.ts";
import { NEWEST_FIRST, readPersons } from "./person-rows.ts";
import type { Person, PersonsQuery } from "./wire.ts";

/** Distinct ids that are shown of a person in a list, and of one that is asked for alone. */
const MOST_IN_LIST = 100;
const MOST_ALONE = 2_500;

export interface FoundPersons {
  readonly count: number;
  readonly persons: readonly Person[];
}

/** A page of the persons that are asked for, newest first. Throws 400, and 429 where no slot comes free. */
export const findPersons = async (world: World, project: RunProject, query: PersonsQuery): Promise<FoundPersons> => {
  const matching = { from: from("persons"), where: personCondition(query, { now: world.clock.now(), timezone: project.timezone }) };
  return runTrees(world, project, async (run) => {
    const window = { limit: constant(query.limit), offset: constant(query.offset) };
    const rows = await run.rows(select([field("id")], { ...matching, ...window, orderBy: NEWEST_FIRST }));
    const [[count] = []] = await run.rows(select([call("count")], { ...matching, limit: constant(1) }));
    const ids = rows.map(([id]) => String(id));
    return { count: Number(count), persons: await readPersons(run, ids, MOST_IN_LIST) };
  });
};

/** The person with the id of a path. Throws 400 and 404. */
export const findPerson = (world: World, project: RunProject, id: string): Promise<Person> => {
  const uuid = requireUuid(id);
  return runTrees(world, project, (run) => requirePerson(run, uuid));
};

/** The same over a state that is being read. */
export const requirePerson = async (run: TreeRun, uuid: string): Promise<Person> => {
  const [person] = await readPersons(run, [uuid], MOST_ALONE);
  if (person === undefined) throw notFound();
  return person;
};

/** The id of a path in lower case. Throws 400 for what is none: most of the time it is a distinct id. */
export const requireUuid = (id: string): string => {
  const read = z.guid().safeParse(id);
  if (read.success) return read.data.toLowerCase();
  throw invalid("uuid", "This is no id of a person. If it is a distinct id, ask for `persons/?distinct_id=` instead.");
};
