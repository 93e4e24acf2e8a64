import { isDeepStrictEqual } from "node:util";
import type { World } from "../../../lib/app/world.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { type Activity, activityWrite } from "../../../lib/error-tracking/activity.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { updating } from "../../../lib/table/store.ts";
import { transact } from "../../../lib/table/transact.ts";
import { untilWritten } from "../../../lib/table/until-written.ts";
import { knownIssue } from "./known-issue.ts";

/** The fields that people change. */
type Changeable = Pick<Issue, "status" | "severity" | "name" | "description" | "assignee">;
export type IssueChanges = Partial<Changeable>;

/** Tries on condition that nobody changes the same field in between; the one after them notes what it read last. */
const TRIES = 5;

/** Gives an issue the wanted fields and notes which of them that changed, and that `user` did it; 404 when it is gone by now. */
export const changeIssueFields = async (
  world: Pick<World, "table" | "clock" | "ids">,
  known: Issue,
  user: number,
  wanted: IssueChanges,
): Promise<Issue> => {
  const { project } = known;
  return untilWritten({ most: TRIES + 1 }, async (attempt) => {
    const issue = attempt === 1 ? known : await knownIssue(world.table, project, known.id);
    const changed = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(issue[name as keyof Changeable], value));
    if (changed.length === 0) return issue;
    const fields: IssueChanges = Object.fromEntries(changed);
    const set = { ...fields, ...(fields.status === "resolved" && { resolved_at: isoMicros(world.clock.now()) }) };
    const unchanged = changed.map(([name]) => {
      return { kind: "equals", attribute: name, value: issue[name as keyof Changeable] } as const;
    });
    await transact(world.table, [
      updating(Issues, { project, id: issue.id }, { set }, attempt <= TRIES ? { kind: "all", of: unchanged } : undefined),
      ...notes(issue, fields).map((note) => activityWrite(world, { ...note, project, issue_id: issue.id, user })),
    ]);
    return { ...issue, ...set };
  });
};

const notes = (issue: Issue, { status, severity, assignee, name, description }: IssueChanges): readonly Activity[] => {
  const all: Activity[] = [];
  if (status !== undefined) all.push({ activity: "status_changed", detail: { from: issue.status, to: status } });
  if (severity !== undefined) all.push({ activity: "severity_changed", detail: { from: issue.severity, to: severity } });
  if (assignee !== undefined) all.push({ activity: "assigned", detail: { from: issue.assignee, to: assignee } });
  if (name !== undefined || description !== undefined) {
    const detail = {
      ...(name !== undefined && { name: { from: brief(issue.name), to: brief(name) } }),
      ...(description !== undefined && { description: { from: brief(issue.description), to: brief(description) } }),
    };
    all.push({ activity: "renamed", detail });
  }
  return all;
};

/** Characters that a note keeps of a name and of a description. */
const MOST_CHARACTERS = 255;

const brief = (text: string | null): string | null => (text === null ? null : Array.from(text).slice(0, MOST_CHARACTERS).join(""));
