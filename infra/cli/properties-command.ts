import { isoSeconds } from "../../lib/core/time.ts";
import { earnedBy, readEarned } from "../../lib/lake/earned-properties.ts";
import { readPropertyTypes } from "../../lib/lake/learn-types.ts";
import { ownedName, PROPERTY_OWNERS } from "../../lib/lake/property-types.ts";
import { chosenProject } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { findMisfits } from "./misfits.ts";
import { readOnlyTable } from "./read-only-table.ts";

export const listProperties: Run = async (target, { flags }) => {
  const world = { ...target.world, table: readOnlyTable(target.world.table) };
  const project = await chosenProject(world.table, flags.project);
  const types = await readPropertyTypes(world.table, project.id);
  const named = await readEarned(world.table, project.id, world.clock.now());
  const misfits = new Map((await findMisfits(world, project, types)).map((each) => [ownedName(each.owner, each.name), each]));
  const found = PROPERTY_OWNERS.flatMap((owner) =>
    [...types.of[owner]].map(([name, type]) => {
      const misfit = misfits.get(ownedName(owner, name));
      const earned = earnedBy(named, owner === "event" || owner === "person" ? owner : "group").filter(({ property }) => property === name);
      return {
        of: owner,
        name,
        type,
        kept_type: misfit?.keptType ?? null,
        misfits: misfit === undefined ? 0 : misfit.count,
        earned_columns: earned.map(({ type: kind, since, namedBy }) => ({ type: kind, since: isoSeconds(since), named_by: namedBy })),
      };
    }),
  );
  const rows = found.map(({ of, name, type, kept_type, misfits: count, earned_columns }) => [
    of,
    name,
    type,
    kept_type ?? "",
    count === 0 ? "" : String(count ?? "unknown"),
    earned_columns.map(({ type: kind, since, named_by }) => `${kind} since ${since.slice(0, "2026-01-01".length)}: ${named_by}`).join("; "),
  ]);
  return { json: found, lines: columns(["of", "property", "type", "saved queries take", "did not fit", "column of its own"], rows) };
};
