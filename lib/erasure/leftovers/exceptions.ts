import { exactJson } from "../../core/exact-json.ts";
import type { RunProject } from "../../endpoints/run-request.ts";
import { runTrees, type TreeRun } from "../../endpoints/tree-runs.ts";
import type { EnginePorts } from "../../engine/engine.ts";
import { isFields } from "../../event/fields.ts";
import { call, compare, constant, every, field, from, select } from "../../hogql/build.ts";
import { among, VALUES_AT_ONCE } from "./among.ts";

/** Exceptions that are read at once: a page of a run's rows. */
const AT_ONCE = 500;

/** Exceptions of one person that are looked through; of more, the frames of the others keep the values of their variables. */
const MOST_EXCEPTIONS = 20_000;

/** The issues and the frames of somebody's exceptions. */
export interface OwnExceptions {
  readonly issues: readonly string[];
  readonly frames: readonly string[];
}

/** Reads them while the exceptions are there. */
export const ownExceptions = async (run: TreeRun, ids: readonly string[]): Promise<OwnExceptions> => {
  const issues = new Set<string>();
  const frames = new Set<string>();
  let left = MOST_EXCEPTIONS;
  for (const some of among(field("distinct_id"), ids)) {
    for (let offset = 0; left > 0; offset += AT_ONCE) {
      const rows = await run.rows(
        select([field("properties", "$exception_issue_id"), call("toString", field("properties", "$exception_list"))], {
          from: from("events"),
          where: every([IS_EXCEPTION, some]),
          orderBy: ["timestamp", "uuid"].map((name) => ({ expr: field(name), descending: false, nulls: "last" as const })),
          limit: constant(AT_ONCE),
          offset: constant(offset),
        }),
      );
      for (const [issue, list] of rows) {
        if (typeof issue === "string") issues.add(issue);
        for (const frame of framesIn(list)) frames.add(frame);
      }
      left -= rows.length;
      if (rows.length < AT_ONCE) break;
    }
  }
  return { issues: [...issues], frames: [...frames] };
};

/** Those of the issues that have no exception any more. */
export const emptiedIssues = async (world: EnginePorts, project: RunProject, issues: readonly string[]): Promise<ReadonlySet<string>> => {
  const emptied = new Set(issues);
  if (emptied.size === 0) return emptied;
  await runTrees(world, project, async (run) => {
    const issue = field("properties", "$exception_issue_id");
    for (const some of among(issue, issues)) {
      const rows = await run.rows(
        select([issue], {
          from: from("events"),
          where: every([IS_EXCEPTION, some]),
          groupBy: [issue],
          limit: constant(VALUES_AT_ONCE),
        }),
      );
      for (const [kept] of rows) emptied.delete(String(kept));
    }
  });
  return emptied;
};

const IS_EXCEPTION = compare("==", field("event"), constant("$exception"));

/** The raw ids of the frames in the JSON of an event's exceptions. */
const framesIn = (list: unknown): readonly string[] => {
  if (typeof list !== "string") return [];
  const exceptions = exactJson(list);
  if (!Array.isArray(exceptions)) return [];
  return exceptions.flatMap((exception) => {
    const stack = isFields(exception) && isFields(exception.stacktrace) ? exception.stacktrace.frames : undefined;
    const frames = Array.isArray(stack) ? stack : [];
    return frames.flatMap((frame) => (isFields(frame) && typeof frame.raw_id === "string" ? [frame.raw_id] : []));
  });
};
