import * as z from "zod";
import { refusal, route } from "../../../lib/app/routes.ts";
import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { type StackFrame, StackFrames, stackFramesNamed } from "../../../lib/error-tracking/stack-frames.ts";
import { SymbolSets } from "../../../lib/error-tracking/symbol-sets.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { uuid } from "../../../lib/http/fields.ts";
import { MAX_PAGE_BYTES, PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { get, pages, page as readPage } from "../../../lib/table/store.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { StackFrameForm, stackFrameForms } from "./stack-frame-form.ts";

const list = route({
  method: "GET",
  path: `${BASE}/stack_frames/`,
  summary: "List stack frames",
  description: "Newest first.",
  tags: TAGS,
  access: read,
  query: PageQuery,
  reply: json(200, paginated(StackFrameForm)),
  async handle({ query, grant, world, request }) {
    const project = grant.project.id;
    const options = { ...query, descending: true, counter: counterKey("stackFrameCount", project) };
    const { count, items } = await readWindow(world.table, StackFrames, "inOrder", { project }, options);
    return page(request, query, count, await stackFrameForms(world.table, items));
  },
});

const retrieve = route({
  method: "GET",
  path: `${BASE}/stack_frames/{id}/`,
  summary: "Retrieve a stack frame",
  tags: TAGS,
  access: read,
  reply: json(200, StackFrameForm),
  async handle({ params, grant, world }) {
    if (!isHyphenatedUuid(params.id)) throw notFound();
    const { items } = await readPage(world.table, StackFrames, "inOrder", { project: grant.project.id, id: params.id.toLowerCase() });
    const [form] = await stackFrameForms(world.table, items);
    if (form === undefined) throw notFound();
    return form;
  },
});

/** Raw ids that one call names at most, and the longest that a stored one is. */
const MOST_IDS = 1_000;
const MOST_CHARACTERS = 300;

const batchGet = route({
  method: "POST",
  path: `${BASE}/stack_frames/batch_get/`,
  summary: "Find stack frames by their raw ids",
  description:
    "Without raw ids all frames of the project, or all that the symbol set resolved, the newest first, as many as an answer holds.",
  tags: TAGS,
  access: read,
  body: z.object({ raw_ids: z.array(z.string()).max(MOST_IDS).nullable().optional(), symbol_set: uuid().nullable().optional() }),
  examples: { body: { raw_ids: [`${"0".repeat(128)}/0`] } },
  reply: json(200, z.object({ results: z.array(StackFrameForm) })),
  async handle({ body, grant, world }) {
    const { table } = world;
    const project = grant.project.id;
    const { symbol_set } = body;
    // An empty list names no frame, and leaves none out either.
    const raw_ids = body.raw_ids?.length === 0 ? undefined : body.raw_ids;
    const set = symbol_set ? await get(table, SymbolSets, { project, id: symbol_set }) : undefined;
    if (symbol_set && set === undefined) return { results: [] };
    const isWanted = ({ symbol_set_ref }: StackFrame): boolean => set === undefined || symbol_set_ref === set.ref;
    const possible = raw_ids?.filter((rawId) => rawId.length <= MOST_CHARACTERS);
    const found = possible
      ? (await stackFramesNamed(table, project, possible)).filter(isWanted)
      : await firstFrames(set === undefined ? framesOfProject(table, project) : framesOfChunk(table, project, set.ref), isWanted);
    return { results: await stackFrameForms(table, withinBytes(found)) };
  },
});

type Pages = AsyncIterable<readonly StackFrame[]>;

const NEWEST_FIRST = { descending: true, limit: 1_000 } as const;

const framesOfProject = (table: Table, project: number): Pages => pages(table, StackFrames, "inOrder", { project }, NEWEST_FIRST);

/** All of built code that a set could resolve, whether it did or not. */
const framesOfChunk = (table: Table, project: number, chunk: string): Pages =>
  pages(table, StackFrames, "ofChunk", { project, chunk }, NEWEST_FIRST);

/** Those that are wanted, until they are more than an answer holds. */
const firstFrames = async (all: Pages, isWanted: (frame: StackFrame) => boolean): Promise<readonly StackFrame[]> => {
  const frames: StackFrame[] = [];
  for await (const some of all) {
    frames.push(...some.filter(isWanted));
    if (withinBytes(frames).length < frames.length) break;
  }
  return frames;
};

/** As many of the first frames as an answer holds. */
const withinBytes = (frames: readonly StackFrame[]): readonly StackFrame[] => {
  let bytes = 0;
  const beyond = frames.findIndex(({ contents, context }) => {
    bytes += Buffer.byteLength(contents) + Buffer.byteLength(context ?? "") + 500;
    return bytes > MAX_PAGE_BYTES;
  });
  return beyond < 0 ? frames : frames.slice(0, beyond);
};

const destroy = refusal({
  method: "DELETE",
  path: `${BASE}/stack_frames/{id}/`,
  summary: "Not offered: frames are kept",
  tags: TAGS,
  access: write,
  body: null,
});

export const stackFrameRoutes = [list, retrieve, batchGet, destroy];
