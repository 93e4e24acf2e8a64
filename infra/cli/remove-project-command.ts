import { closeProject } from "../../lib/projects/close-project.ts";
import { UserError } from "../local/user-error.ts";
import { projectEvenRemoved } from "./chosen-project.ts";
import type { Run } from "./command.ts";
import { confirm } from "./confirm.ts";

export const removeProject: Run = async ({ world: { table, clock }, forgetKeys }, { words: [word], switches }) => {
  const project = await projectEvenRemoved(table, word, "projects remove 7");
  const { id, name } = project;
  if (project.state === "removed") throw new UserError(`Project ${id} is removed already.`);
  await confirm(`Project ${id}, "${name}", is removed with all its events, persons, saved queries and keys.`, switches);
  const closed = await closeProject(table, project, clock.now());
  forgetKeys();
  if (!closed) throw new UserError(`Project ${id} was removed meanwhile.`);
  return {
    json: { project: id, removed: true },
    lines: [
      `Project ${id} is removed: within five seconds nothing it is sent is taken any more, and its data is deleted within the hour.`,
      "What it used is still invoiced.",
    ],
  };
};
