import type { EnginePorts } from "../engine/engine.ts";
import type { RowFiles } from "../lake/row-files.ts";
import type { FileAccess } from "../ports/file-access.ts";
import type { Downloads, Objects, Uploads } from "../ports/objects.ts";
import type { TableRegistry } from "../ports/table-registry.ts";

/**
 * Everything a handler may touch besides its arguments. Only `lib/aws/aws.ts` and `infra/local/world.ts` build one;
 * `uses` of a group says which parts its function gets, and a part that was not asked for throws when touched. Clock, names, ids, log and
 * configuration are always there.
 */
export interface World extends EnginePorts {
  readonly objects: Objects & Downloads & Uploads;
  readonly fileAccess: FileAccess;
  readonly tableRegistry: TableRegistry;
  /** Writes segments without the engine, so that ingest carries no native code. */
  readonly segments: Pick<RowFiles, "write">;
}
