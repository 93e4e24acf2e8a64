import { Defect } from "../core/unreachable.ts";
import type { Config } from "../ports/config.ts";
import type { Log } from "../ports/system.ts";
import { systemClock, systemDns, systemIds } from "./system.ts";
import type { Part } from "./uses.ts";
import type { World } from "./world.ts";

/** The parts of a world; those that were not asked for are left out. */
export type Parts = Partial<Pick<World, Part>>;

/** A world of the given parts beside the system's clock, names and ids; a part that is left out is a `Defect` when touched. */
export const assemble = (parts: Parts, segments: World["segments"], log: Log, config: Config): World => ({
  table: parts.table ?? refused("table"),
  queues: parts.queues ?? refused("queues"),
  queueDepths: parts.queueDepths ?? refused("queueDepths"),
  deadLetters: parts.deadLetters ?? refused("deadLetters"),
  invocations: parts.invocations ?? refused("invocations"),
  objects: parts.objects ?? refused("objects"),
  fileAccess: parts.fileAccess ?? refused("fileAccess"),
  tableRegistry: parts.tableRegistry ?? refused("tableRegistry"),
  engine: parts.engine ?? refused("engine"),
  counts: parts.counts ?? refused("counts"),
  mail: parts.mail ?? refused("mail"),
  model: parts.model ?? refused("model"),
  tokenKeys: parts.tokenKeys ?? refused("tokenKeys"),
  segments,
  clock: systemClock,
  dns: systemDns,
  ids: systemIds(systemClock),
  log,
  config,
});

/** Stands for a part that a group does not name in its `uses`. Guarantee of the cast: no property of it can be read. */
const refused = (part: Part): never =>
  new Proxy(
    {},
    {
      get() {
        throw new Defect(`the part "${part}" is not among the parts that this function uses`);
      },
    },
  ) as never;
