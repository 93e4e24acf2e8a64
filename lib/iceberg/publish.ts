import { createHash } from "node:crypto";
import { readHead } from "../lake/head.ts";
import type { Policy } from "../lake/policy.ts";
import { HEAD_WITHIN_MS, type Publication, readPublication } from "../lake/published.ts";
import { readTableMetadata } from "./metadata.ts";
import { commitPublication } from "./snapshots/commit.ts";
import { buildSnapshot } from "./snapshots/snapshot.ts";
import { confirmed, firstKept, withoutExpired } from "./snapshots/table-metadata.ts";
import { eventsTable } from "./tables/events.ts";
import { distinctIdsTable, personsTable } from "./tables/state.ts";
import type { FileGroup, PublishedTable, PublishParts } from "./tables/tables.ts";

const TABLES: readonly PublishedTable[] = [eventsTable, personsTable, distinctIdsTable];

/** `published`: a new snapshot; `unchanged`: the newest one says it all; `removed`: the project is gone. */
export type PublishOutcome = "published" | "unchanged" | "removed";

/** Lost races, or heads that were too old, before a job gives up and is delivered again. */
const RACES = 4;

/**
 * Publishes a project's tables as its head says they are: one new snapshot of each that changed. Writes nothing where the head is what it
 * was, but for snapshots whose time is over. Safe to run again and beside itself: only the pointer's condition decides.
 */
export const publishProject = async (parts: PublishParts, policy: Policy, project: number): Promise<PublishOutcome> => {
  let outcome: PublishOutcome = "unchanged";
  for (const table of TABLES) {
    const done = await publishTable(parts, policy, project, table);
    if (done === "removed") return done;
    if (done === "published") outcome = done;
  }
  return outcome;
};

const publishTable = async (parts: PublishParts, policy: Policy, project: number, table: PublishedTable): Promise<PublishOutcome> => {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await publishOnce(parts, policy, project, table);
    if (outcome !== "lost") return outcome;
    if (attempt === RACES) throw new Error(`project ${project} changed under ${RACES} tries to publish its ${table.name}`);
  }
};

/** The pointer is read before the head: whoever finds it unchanged in the end has seen no older head than the one before. */
const publishOnce = async (
  parts: PublishParts,
  policy: Policy,
  project: number,
  table: PublishedTable,
): Promise<PublishOutcome | "lost"> => {
  const published = await readPublication(parts.table, project, table.name);
  const readAt = Math.max(parts.clock.now(), (published?.reads.at(-1) ?? 0) + 1);
  const head = await readHead(parts.table, project);
  if (head.removedAt !== null) return "removed";
  if (parts.clock.now() - readAt > HEAD_WITHIN_MS) return "lost";
  const groups = table.groups(head);
  const state = stateDigest(groups);
  if (published === undefined ? groups.length === 0 : published.state === state)
    return published ? renew(parts, policy, project, published, readAt) : "unchanged";
  const before = published && { published, metadata: await readTableMetadata(parts.objects, published) };
  const next = await buildSnapshot(parts, policy, { project, table, groups, before, readAt });
  if (next === undefined) return "lost";
  return commitPublication(parts, policy, project, { ...next, state }, before?.published, readAt);
};

/** Of a head that is what it was: drops snapshots whose time is over, and says that the newest one still holds. */
const renew = async (
  parts: PublishParts,
  policy: Policy,
  project: number,
  published: Publication,
  readAt: number,
): Promise<PublishOutcome | "lost"> => {
  if (firstKept(published.reads, policy, readAt) > 0) {
    const metadata = await readTableMetadata(parts.objects, published);
    const next = await withoutExpired(parts, policy, project, { published, metadata }, readAt);
    return commitPublication(parts, policy, project, { ...next, state: published.state }, published, readAt);
  }
  return confirmed(parts, project, published, readAt);
};

/** Raised where tables have to be published anew though no file changed. 2: columns of properties have numbers. */
const PUBLISHED_AS = 2;

const stateDigest = (groups: readonly FileGroup[]): string =>
  createHash("sha256")
    .update(JSON.stringify([PUBLISHED_AS, groups.map(({ entry, version }) => [entry, version]).sort()]))
    .digest("hex");
