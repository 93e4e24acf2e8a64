import type { World } from "../../lib/app/world.ts";
import { undoImport } from "../../lib/erasure/undo.ts";
import { countImports } from "../../lib/lake/count-imports.ts";
import { policyOf } from "../../lib/lake/policy.ts";
import { findImport, type Import, importsOfProject } from "../../lib/projects/imports.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { confirm } from "./confirm.ts";

export const listImports: Run = async ({ world }, { flags }) => {
  const { id } = await chosenProject(world.table, flags.project);
  const imports = await withStored(world, id, await importsOfProject(world.table, id));
  const rows = imports.map((each) => [
    ...[each.id, each.name, each.source, each.state, each.created_at, each.last_seen_at],
    ...[each.read, each.accepted, each.rejected, each.stored].map((count) => String(count ?? "")),
  ]);
  return {
    json: imports,
    lines: columns(["id", "name", "from", "state", "first stored", "last stored", "read", "accepted", "rejected", "stored"], rows),
  };
};

type CountedImport = Import & { readonly stored: number };

/** With the rows of each that queries see, counted in the lake. */
const withStored = async (world: World, project: number, imports: readonly Import[]): Promise<readonly CountedImport[]> => {
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const counts = await countImports(
    parts,
    project,
    imports.filter(({ state }) => state === "open").map(({ id }) => id),
  );
  return imports
    .map((each) => ({ ...each, stored: counts.get(each.id) ?? 0 }))
    .sort((left, right) => (left.created_at < right.created_at ? -1 : 1));
};

export const undo: Run = async ({ world }, { words: [called = ""], flags, switches }) => {
  const { id: project } = await chosenProject(world.table, flags.project);
  const found = await findImport(world.table, project, called);
  if (found === undefined) throw new UserError(`Project ${project} has no import "${called}": imports lists them.`);
  if (found.state === "undone")
    return { json: shown(found), lines: [`The import "${found.name}" is undone already, since ${String(found.undone_at)}.`] };
  const shared = shareWarning(found, await withStored(world, project, await importsOfProject(world.table, project)));
  await confirm([`All events of the import "${found.name}" are removed from project ${project}.`, ...shared].join(" "), switches);
  const { import: one, outcome } = await undoImport(world, policyOf(world.config), found);
  if (outcome === "more") throw new UserError("The import could not be undone completely yet. The same command goes on with it.");
  return {
    json: shown(one),
    lines: [
      `The import "${one.name}" is undone: ${String(one.undone_rows)} stored events are gone. Their bytes go within a day.`,
      ...shared,
    ],
  };
};

/** An event that several imports brought is stored once, as one of that which came first: it goes with that one, whoever else brought it. */
const shareWarning = (undone: Import, all: readonly CountedImport[]): readonly string[] => {
  const others = all.filter(
    ({ id, state, accepted, stored, created_at }) =>
      id !== undone.id && state === "open" && accepted !== null && stored < accepted && created_at >= undone.created_at,
  );
  return others.map(
    ({ name, accepted, stored }) =>
      `Of ${String(accepted)} events that "${name}" brought, ${stored} are stored as its own: what "${undone.name}" had brought before it goes, too. Bring it in again, under another name, if it shall stay.`,
  );
};

const shown = ({ id, name, state, undone_at, undone_rows }: Import) => ({ import: id, name, state, undone_at, undone_rows });
