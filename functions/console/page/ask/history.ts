import { keepDraft, keptDraft } from "../../calls/kept-drafts.ts";

/** A query that was run. */
export interface PastQuery {
  readonly kind: string;
  readonly text: string;
  readonly at: number;
}

const MOST = 50;

const nameOf = (project: number): string => `queries ${project}`;

/** The queries that were run in a project on this device, the newest first. */
export const pastQueries = (project: number): readonly PastQuery[] => {
  const kept = keptDraft(nameOf(project));
  return Array.isArray(kept) ? kept : [];
};

/** Keeps a query as the newest; the same one of before is the same query. */
export const keepQuery = (project: number, { kind, text, at }: PastQuery): void => {
  const others = pastQueries(project).filter((past) => past.kind !== kind || past.text !== text);
  keepDraft(nameOf(project), [{ kind, text, at }, ...others].slice(0, MOST));
};
