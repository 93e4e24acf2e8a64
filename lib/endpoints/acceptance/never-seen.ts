import { nearest } from "../../core/suggest.ts";
import { readPropertyTypes } from "../../lake/learn-types.ts";
import type { AskedType } from "../../lake/query-types.ts";
import type { Ports } from "../../ports/ports.ts";

/** Properties that one line names, and characters of each. */
const MOST_NAMED = 10;
const MOST_CHARACTERS = 100;

/**
 * Says in the log which properties of a saved query no event has had so far, with the nearest name that one had: most are misspelt,
 * and read as NULL. Nothing is wrong with the query, whose events may be still to come.
 */
export const warnOfNeverSeen = async (
  { table, log }: Pick<Ports, "table" | "log">,
  project: number,
  asked: readonly AskedType[],
): Promise<void> => {
  const untyped = asked.filter(([, , type]) => type === null);
  if (untyped.length === 0) return;
  const known = await readPropertyTypes(table, project);
  // Where names are forgotten, one without a type may have been seen.
  if (known.isCrowded) return;
  const named = untyped.slice(0, MOST_NAMED).map(([owner, name]) => {
    const meant = nearest(name, known.of[owner].keys());
    return `${shortened(name)} of ${owner}${meant === undefined ? "" : ` (did you mean ${shortened(meant)}?)`}`;
  });
  const others = untyped.length > MOST_NAMED ? ` and ${untyped.length - MOST_NAMED} others` : "";
  log.line("warn", "property-never-seen", { project, properties: named.join(", ") + others });
};

const shortened = (name: string): string => (name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name);
