import { tableKey } from "../lake/paths.ts";
import type { Ports } from "../ports/ports.ts";
import { findMaterialisation, type Materialisation, type MaterialisationKey } from "./materialisations.ts";

/** Where the objects of a version's tables begin. */
export const tablesPrefix = ({ project, endpoint_id, version }: MaterialisationKey): string =>
  tableKey(project, `${endpoint_id}/${version}`, "");

/** Deletes what nothing names of a version's tables: all of them once its table is switched off. */
export const removeUnnamedTables = async (
  { table, objects }: Pick<Ports, "table" | "objects">,
  place: MaterialisationKey,
): Promise<void> => {
  let cursor: string | null = null;
  do {
    const page = await objects.list(tablesPrefix(place), cursor);
    // Read after the list: a run that began meanwhile has written nothing that is listed.
    const named = namedKeys(await findMaterialisation(table, place));
    const gone = page.objects.map(({ key }) => key).filter((key) => !named.has(key));
    if (gone.length > 0) await objects.remove(gone);
    cursor = page.cursor;
  } while (cursor !== null);
};

/** Every object that a materialisation names, that of the run in work among them. */
const namedKeys = (one: Materialisation | undefined): ReadonlySet<string> =>
  new Set(
    one === undefined
      ? []
      : [...one.replaced, ...(one.table === null ? [] : [one.table.key]), ...(one.run === null ? [] : [tablesPrefix(one) + one.run])],
  );
