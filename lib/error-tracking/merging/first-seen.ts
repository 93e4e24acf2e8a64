import type { Table } from "../../ports/table.ts";
import { update } from "../../table/store.ts";
import { untilWritten } from "../../table/until-written.ts";
import { readIssueFingerprints } from "../issue-fingerprints.ts";
import { Issues } from "../issues.ts";
import { readLiveIssue } from "../live-issues.ts";

/** Tries of an issue that others change at the same time. */
const TRIES = 20;

/**
 * Sets the `first_seen` of an issue to the least of its fingerprints, after some of them came or went. Ingest sets a fingerprint's before
 * the issue's, and this reads the issue before the fingerprints: an earlier event in between either is read or changes the issue again. The
 * issue is written also where nothing changes, so that whoever missed a fingerprint that was just coming begins anew.
 */
export const refreshFirstSeen = (table: Table, project: number, id: string): Promise<void> =>
  untilWritten({ most: TRIES }, async () => {
    const issue = await readLiveIssue(table, project, id);
    if (issue === undefined) return;
    const fingerprints = await readIssueFingerprints(table, issue);
    const first_seen = fingerprints.flatMap((each) => each.first_seen ?? []).sort()[0];
    if (first_seen === undefined) return;
    await update(table, Issues, { project, id: issue.id }, { set: { first_seen } }, { kind: "equals", attribute: "rev", value: issue.rev });
  });
