import type { World } from "../../lib/app/world.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { trackExceptions } from "../../lib/error-tracking/track.ts";
import type { UnreadExceptions } from "../../lib/error-tracking/unread-exceptions.ts";
import type { EventRow } from "../../lib/event/event.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { type CommitResult, type CommitSizes, commitDrain } from "../../lib/lake/commit.ts";
import { noteImports } from "../../lib/projects/note-imports.ts";
import { type ProjectBatch, readProject } from "./by-project.ts";
import { keepAccounts } from "./group-accounts.ts";
import { keepTypes } from "./known-types.ts";
import { findOwner } from "./owner.ts";
import { projectMemory } from "./project-memory.ts";
import { faultReason, type ReceivedMessage } from "./received-message.ts";
import { dropUndoneCopies } from "./undone-copies.ts";

/**
 * Projects whose messages are read and committed side by side: they wait for table and store most of the time. What they hold
 * together is still what the drain holds, and each lets go of its rows when it is committed.
 */
const PROJECT_CONCURRENCY = 64;

/** Stores the events of some messages, project by project, and returns the ids of what has to come again. */
export const drain = async (
  messages: readonly ReceivedMessage[],
  world: World,
  lane: Commit["lane"],
  sizes: CommitSizes,
): Promise<readonly string[]> => {
  const began = world.clock.now();
  const { projects, failed, unowned } = await byProject(messages, world);
  const sums = { events: 0, dropped: 0, rows: 0, segments: 0, bytes: 0 };
  let [busiest, most] = [0, 0];
  const unread: (UnreadExceptions & { readonly project: number })[] = [];
  await forEachConcurrent(projects, PROJECT_CONCURRENCY, async ([project, own]) => {
    const batch = await readProject(project, own, world);
    const committed = await commit(batch, world, lane, sizes, (found) => unread.push({ project, ...found }));
    failed.push(...batch.failed, ...(committed === undefined ? batch.whole : []));
    sums.events += batch.events;
    if (batch.events > most) [busiest, most] = [project, batch.events];
    sums.dropped += batch.dropped;
    sums.rows += committed?.rows ?? 0;
    sums.segments += committed?.segments ?? 0;
    sums.bytes += committed?.bytes ?? 0;
  });
  world.log.line("info", "ingest", {
    lane,
    messages: messages.length,
    failed: failed.length,
    projects: projects.size,
    unowned,
    ...sums,
    // Whose a flood is: of what is taken, capture writes no lines unless it is told to.
    ...(most > 0 && { busiest, busiest_events: most }),
    duration_ms: world.clock.now() - began,
  });
  await tellUnread(world, unread);
  return failed;
};

/** Says once a drain which exceptions have no issue, because nothing of them could be read: the first project's reason stands for all. */
const tellUnread = async (world: World, unread: readonly (UnreadExceptions & { readonly project: number })[]): Promise<void> => {
  const [first] = unread;
  if (first === undefined) return;
  const count = unread.reduce((sum, each) => sum + each.count, 0);
  world.log.line("warn", "exceptions.unread", { count, projects: unread.length, project: first.project, reason: first.reason });
  await world.counts.add("DrainsWithUnreadExceptions");
};

interface MessagesByProject {
  readonly projects: ReadonlyMap<number, readonly ReceivedMessage[]>;
  /** Ids of messages whose owner could not be found out. */
  readonly failed: string[];
  /** Events of removed or unknown projects: they are dropped. */
  readonly unowned: number;
}

/** The messages by the project that they belong to, which is asked for once for all that name the same one. */
const byProject = async (messages: readonly ReceivedMessage[], world: World): Promise<MessagesByProject> => {
  const projects = new Map<number, ReceivedMessage[]>();
  const failed: string[] = [];
  let unowned = 0;
  const named = Map.groupBy(messages, ({ message }) => message.token ?? message.project);
  await forEachConcurrent(named.values(), PROJECT_CONCURRENCY, async (own) => {
    try {
      const [first] = own;
      const project = first === undefined ? null : await findOwner(first.message, world);
      if (project === null) for (const { message } of own) unowned += message.events;
      else projects.set(project, [...(projects.get(project) ?? []), ...own]);
    } catch (fault) {
      for (const { id, message } of own) {
        failed.push(id);
        world.log.line("error", "ingest.unread", { message: id, project: message.project, ...faultReason(fault) });
      }
    }
  });
  return { projects, failed, unowned };
};

const commit = async (
  batch: ProjectBatch,
  world: World,
  lane: Commit["lane"],
  sizes: CommitSizes,
  noteUnread: (unread: UnreadExceptions) => void,
): Promise<CommitResult | undefined> => {
  try {
    const { project, changes } = batch;
    await dropUndoneCopies(batch, world);
    // Before its rows can be seen, so that whoever sees some of an import finds it in the list.
    await noteImports(world, project, batch.imports, projectMemory(world, project).imports);
    const rows = await withIssues(batch, world, noteUnread);
    await keepTypes(world, project, batch.types.learnt(changes));
    const committed = await commitDrain(world, { project, lane, rows, changes }, sizes);
    await keepAccounts(world, batch);
    return committed;
  } catch (fault) {
    world.log.line("error", "ingest.uncommitted", { project: batch.project, messages: batch.whole.length, ...faultReason(fault) });
    return undefined;
  }
};

/** The rows with those of exceptions as they become when their issues are known, and without those that are not stored. */
const withIssues = async (
  batch: ProjectBatch,
  world: World,
  noteUnread: (unread: UnreadExceptions) => void,
): Promise<readonly EventRow[]> => {
  const { project, rows, exceptions, types } = batch;
  if (exceptions.length === 0) return rows;
  const tracked = await trackExceptions(world, project, exceptions);
  for (const [{ identity }, properties] of tracked.properties) types.see("event", properties, identity);
  if (tracked.unread !== null) noteUnread(tracked.unread);
  const kept = rows.flatMap((row) => (row.event === "$exception" ? (tracked.stored.get(row) ?? []) : row));
  batch.dropped += rows.length - kept.length;
  return kept;
};
