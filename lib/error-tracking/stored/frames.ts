import { cache, perOwner } from "../../core/cache.ts";
import { forEachConcurrent } from "../../core/concurrency.ts";
import { isoMicros } from "../../core/time.ts";
import { jsonText } from "../../event/hot-properties.ts";
import { ConditionFailed, type Item } from "../../ports/table.ts";
import { indexKeys, plainAttributes, plainItem, plainKey } from "../../table/entity.ts";
import { counting } from "../../table/paging.ts";
import { counterKey } from "../../table/partitions.ts";
import { ABSENT, transact } from "../../table/transact.ts";
import type { Context } from "../frames/context.ts";
import { parseRawId } from "../frames/raw-id.ts";
import type { Frame } from "../frames/resolved-frame.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { StackFrame } from "../stack-frames.ts";
import type { MappableFrame } from "../symbol-sets/mappable-frame.ts";
import { STACK_FRAME_LAYOUT } from "./layouts.ts";

/** A frame as an event shows it. */
export interface SeenFrame {
  readonly frame: Frame;
  readonly context: Context | null;
  readonly releaseId: string | null;
  /** Where it is of built code: what a source map needs of it, and the uploaded file that resolved it. */
  readonly mappable: MappableFrame | undefined;
  readonly resolvedBy: string | undefined;
}

/** Frames of a drain that are written at most: those beyond come with a later event. A client can make up any number of them. */
const MAX_NEW = 2_000;

/** Written in one transaction, the list counted beside them. */
const AT_ONCE = 99;

/** Frames that are written anew side by side. */
const LANES = 16;

/** A frame that takes more bytes goes without the values of variables, and is not kept at all if that is not enough. */
const MOST_FRAME_BYTES = 25_000;
/** The lines around it are left out where they take more: a whole transaction holds 4 MB. */
const MOST_CONTEXT_BYTES = 12_000;

/** The longest digest that is a key. */
const MOST_HASH = 256;

const MAX_KNOWN = 50_000;

/** Frames that the process knows to be there, by project, raw id, the file that resolved it and whether its release is known. */
const stored = perOwner((_: TrackingParts) => cache<string, true>({ capacity: MAX_KNOWN }));

/** Stores each frame that is not there yet, and each anew that a source map resolves since, or has a release: read once, written once. */
export const storeFrames = async (parts: TrackingParts, project: number, seen: ReadonlyMap<string, SeenFrame>): Promise<void> => {
  const known = stored(parts);
  const name = (rawId: string): string => {
    const frame = seen.get(rawId);
    return `${project}#${rawId}#${frame?.resolvedBy ?? ""}#${frame?.releaseId ? "released" : ""}`;
  };
  // A client that sends frames resolved writes raw ids as it likes: `a`, `a/0` and `a/00` are one frame, as the first of them has it.
  const ways = new Map<string, string>();
  for (const rawId of seen.keys()) {
    if (ways.size >= MAX_NEW) break;
    const { hash, part } = parseRawId(rawId);
    const isKey = hash !== "" && hash.length <= MOST_HASH;
    if (isKey && known.get(name(rawId)) === undefined && !ways.has(`${hash}/${part}`)) ways.set(`${hash}/${part}`, rawId);
  }
  const fresh = [...ways.values()];
  if (fresh.length === 0) return;
  const there = await present(parts, project, fresh);
  const missing: Item[] = [];
  const changed: (readonly [StackFrame, SeenFrame])[] = [];
  const released: (readonly [StackFrame, string])[] = [];
  for (const rawId of fresh) {
    const frame = seen.get(rawId);
    const before = there.get(rawId);
    if (frame === undefined) continue;
    if (before === undefined) {
      missing.push(...frameItem(parts, project, rawId, frame));
      continue;
    }
    if (frame.resolvedBy !== undefined && before.resolved_by !== frame.resolvedBy) changed.push([before, frame]);
    if (before.release_id === null && frame.releaseId !== null) released.push([before, frame.releaseId]);
  }
  await forEachConcurrent(changed, LANES, ([before, frame]) => storeResolved(parts, before, frame));
  await forEachConcurrent(released, LANES, ([before, releaseId]) => storeRelease(parts, before, releaseId));
  for (let at = 0; at < missing.length; at += AT_ONCE) await putFrames(parts, project, missing.slice(at, at + AT_ONCE));
  for (const rawId of fresh) known.set(name(rawId), true);
};

const present = async ({ table }: TrackingParts, project: number, rawIds: readonly string[]): Promise<ReadonlyMap<string, StackFrame>> => {
  const keys = new Map(rawIds.map((rawId) => [plainKey(STACK_FRAME_LAYOUT, { project, ...parseRawId(rawId) }).sk, rawId]));
  const items = await table.getMany([...keys.values()].map((rawId) => plainKey(STACK_FRAME_LAYOUT, { project, ...parseRawId(rawId) })));
  return new Map(
    items.flatMap((item) => {
      const rawId = keys.get(item.sk);
      return rawId === undefined ? [] : [[rawId, plainAttributes<StackFrame>(STACK_FRAME_LAYOUT, item)] as const];
    }),
  );
};

/** Writes a stored frame as a source map resolves it. */
export const storeResolved = async (
  { table }: Pick<TrackingParts, "table">,
  { project, hash, part, id }: StackFrame,
  frame: Omit<SeenFrame, "releaseId">,
): Promise<void> => {
  const what = shown(frame);
  if (what === undefined) return;
  const key = plainKey(STACK_FRAME_LAYOUT, { project, hash, part });
  const index = indexKeys(STACK_FRAME_LAYOUT.patterns.ofChunk, { project, id, ...what });
  try {
    await table.update(key, { set: { ...what, ...index }, add: { rev: 1 } }, { kind: "present" });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // It was removed with its project.
  }
};

/** Says which release a stored frame belongs to, which was made after its first exception came. Who was faster is right. */
const storeRelease = async (
  { table }: Pick<TrackingParts, "table">,
  { project, hash, part }: StackFrame,
  release_id: string,
): Promise<void> => {
  const key = plainKey(STACK_FRAME_LAYOUT, { project, hash, part });
  try {
    await table.update(key, { set: { release_id }, add: { rev: 1 } }, { kind: "equals", attribute: "release_id", value: null });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

/** Writes frames of which some may be there by now: those are left out and the others tried again. */
const putFrames = async (parts: TrackingParts, project: number, items: readonly Item[]): Promise<void> => {
  let left = items;
  while (left.length > 0) {
    try {
      const puts = left.map((item) => ({ kind: "put", item, when: ABSENT }) as const);
      return await transact(parts.table, [...puts, counting(counterKey("stackFrameCount", project), left.length)]);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      left = left.filter((_, index) => !error.failed.includes(index));
    }
  }
};

/** None for a frame that no item holds. */
const frameItem = ({ clock, ids }: TrackingParts, project: number, rawId: string, frame: SeenFrame): readonly Item[] => {
  const what = shown(frame);
  if (what === undefined) return [];
  const { chunk, built, resolved_by, ...always } = what;
  const stored: StackFrame = {
    project,
    ...parseRawId(rawId),
    id: ids.uuid(),
    created_at: isoMicros(clock.now()),
    ...always,
    release_id: frame.releaseId,
    ...(chunk !== undefined && { chunk }),
    ...(built !== undefined && { built }),
    ...(resolved_by !== undefined && { resolved_by }),
  };
  return [plainItem(STACK_FRAME_LAYOUT, stored)];
};

/** What is stored of a frame as an event shows it; undefined where it is too large. */
const shown = ({ frame, context, mappable, resolvedBy }: Omit<SeenFrame, "releaseId">) => {
  const { code_variables: _values, junk_drawer: _junk, ...lean } = frame;
  const contents = within(jsonText(frame), MOST_FRAME_BYTES) ?? within(jsonText(lean), MOST_FRAME_BYTES);
  if (contents === null) return undefined;
  return {
    contents,
    resolved: frame.resolved,
    context: context === null ? null : within(jsonText(context), MOST_CONTEXT_BYTES),
    symbol_set_ref: resolvedBy === undefined ? null : (mappable?.ref ?? null),
    ...(mappable !== undefined && { chunk: mappable.ref, built: jsonText(mappable.place) }),
    ...(resolvedBy !== undefined && { resolved_by: resolvedBy }),
  };
};

const within = (text: string, most: number): string | null => (Buffer.byteLength(text) <= most ? text : null);
