import { GROUPING_VERSIONS, type GroupingVersion } from "../../lib/event/grouping-versions.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { update } from "../../lib/table/store.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import type { Run } from "./command.ts";

export const chooseGrouping: Run = async ({ world }, { flags }) => {
  const { id, grouping_version: current = 1 } = await chosenProject(world.table, flags.project);
  const version = readVersion(flags.version) ?? current;
  if (version === current) return { json: { project: id, version }, lines: [`Project ${id} groups exceptions by version ${version}.`] };
  await update(world.table, Projects, { id }, { set: { grouping_version: version, grouping_version_before: current } });
  return {
    json: { project: id, version, before: current },
    lines: [`Project ${id} groups exceptions by version ${version} within seconds. What version ${current} knows goes to the same issues.`],
  };
};

const readVersion = (text: string | undefined): GroupingVersion | undefined => {
  if (text === undefined) return undefined;
  const version = GROUPING_VERSIONS.find((each) => String(each) === text);
  if (version === undefined) throw new UserError(`There is no version "${text}" of grouping: give ${GROUPING_VERSIONS.join(" or ")}.`);
  return version;
};
