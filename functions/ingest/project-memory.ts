import type { World } from "../../lib/app/world.ts";
import { cache, perOwner } from "../../lib/core/cache.ts";
import { DAY_MS } from "../../lib/core/time.ts";
import { GROUP_SLOTS } from "../../lib/event/event.ts";
import { assignGroupTypes, type GroupTypes } from "../../lib/lake/group-types.ts";
import type { RefusedRows } from "../../lib/lake/removals-in-force.ts";
import type { NotedImports } from "../../lib/projects/note-imports.ts";

/** A process's memory of a project between messages. Losing it costs a few reads. */
export interface ProjectMemory {
  /** The project's group types, the wanted ones among them while there are slots left. */
  groupTypes(wanted: ReadonlySet<string>): Promise<GroupTypes>;
  /** Milliseconds since 1970 up to which the project is taken to be there. */
  presentUntil: number;
  /** What is not stored any more of what comes, as it was when the project was last looked at. */
  refused: RefusedRows | null;
  /** The group type that makes accounts, null for none, and until when it is taken to be that. */
  accountType: { readonly type: string | null; readonly until: number } | undefined;
  /** Accounts that are there, by external id, with the name that was written last. */
  readonly accounts: Map<string, { readonly name: string | undefined; readonly at: number }>;
  /** When imports were last written down. */
  readonly imports: NotedImports;
}

/** Projects remembered at once, some 300 bytes each. A drain may bring a thousand. */
const MAX_PROJECTS = 10_000;

const projectMemories = perOwner((_: World) => cache<number, ProjectMemory>({ capacity: MAX_PROJECTS }));

/** What has an end goes with the clock that it was given by, when that is set back. */
const ALL_KEPT_MS = DAY_MS;
/** Group types are read again after this: an operator may have renamed or removed one. */
const KEPT_MS = 60_000;
/** What is left out because all slots are taken is looked for again after this: it may have been made room for. */
const LEFT_OUT_MS = 1_000;

export const projectMemory = (world: World, project: number): ProjectMemory => {
  const memories = projectMemories(world);
  const now = world.clock.now();
  const known = memories.get(project, now);
  if (known !== undefined) return known;
  const memory = newMemory(world, project);
  memories.set(project, memory, now + ALL_KEPT_MS);
  return memory;
};

const newMemory = (world: World, project: number): ProjectMemory => {
  let types: GroupTypes = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let noted = new Set<string>();
  return {
    async groupTypes(wanted) {
      const now = world.clock.now();
      const isOld = now - readAt > KEPT_MS;
      const isFull = types.filter((type) => type !== "").length >= GROUP_SLOTS;
      const isLeftOut = (type: string): boolean => isFull && !types.includes(type) && now - lookedAt <= LEFT_OUT_MS;
      if (wanted.size > 0 && (isOld || ![...wanted].every((type) => noted.has(type) || isLeftOut(type)))) {
        types = await assignGroupTypes(world.table, project, wanted, now);
        lookedAt = now;
        if (isOld) readAt = now;
        noted = new Set(types.filter((type) => wanted.has(type) || (!isOld && noted.has(type))));
      }
      return types;
    },
    presentUntil: 0,
    refused: null,
    accountType: undefined,
    accounts: new Map(),
    imports: new Map(),
  };
};
