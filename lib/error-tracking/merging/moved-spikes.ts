import type { Table, Write } from "../../ports/table.ts";
import { pages, removing, updating } from "../../table/store.ts";
import { type SpikeEvent, SpikeEvents } from "../spike-events.ts";

/** All spikes of an issue. */
export const issueSpikes = async (table: Table, project: number, issueId: string): Promise<readonly SpikeEvent[]> => {
  const all: SpikeEvent[] = [];
  for await (const some of pages(table, SpikeEvents, "ofIssue", { project, issue_id: issueId })) all.push(...some);
  return all;
};

/** The write that makes a spike another issue's; `original` is the original issue that it shall remember. */
export const movingSpike = ({ project, detected_at, id }: SpikeEvent, issueId: string, original: string | undefined): Write =>
  updating(
    SpikeEvents,
    { project, detected_at, id },
    { set: { issue_id: issueId, ...(original !== undefined && { home: original }) }, ...(original === undefined && { remove: ["home"] }) },
  );

export const removingSpike = ({ project, detected_at, id }: SpikeEvent): Write => removing(SpikeEvents, { project, detected_at, id });
