import { isReadable, writtenVersion } from "../../core/formats.ts";
import { pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Item, Key, Table } from "../../ports/table.ts";
import { keyIn } from "../../table/partitions.ts";
import { putRevision } from "../../table/revision.ts";
import { nameBytes } from "../property-types.ts";

/** Properties that queries asked for, as `ownedName` writes them, and the UTC day on which that was marked. */
export type TypeMarks = ReadonlyMap<string, number>;

/** Properties that queries keep, and bytes of their names. */
const MAX_USED = 1_000;
const MAX_USED_BYTES = 40_000;
/** A mark is made anew after this many days, and one that was not makes room for others after these. */
const MARK_DAYS = 30;
const UNMARK_DAYS = 90;

/** Whether a property that a query asked for has to be marked, so that its type stays. */
export const needsMark = (used: TypeMarks, name: string, day: number): boolean => {
  const marked = used.get(name);
  if (marked !== undefined) return day - marked >= MARK_DAYS;
  return used.size < MAX_USED || [...used.values()].some((other) => day - other >= UNMARK_DAYS);
};

/** The marks with those of properties that queries asked for; the very same when there is nothing to mark, or no room. */
export const withMarks = (before: TypeMarks, asked: readonly string[], day: number): TypeMarks => {
  const used = new Map(before);
  let bytes = 0;
  for (const [name, marked] of before) {
    if (day - marked >= UNMARK_DAYS) used.delete(name);
    else bytes += nameBytes(name);
  }
  let isChanged = false;
  for (const name of asked) {
    const marked = used.get(name);
    if (marked !== undefined ? day - marked < MARK_DAYS : used.size >= MAX_USED || bytes + nameBytes(name) > MAX_USED_BYTES) continue;
    if (marked === undefined) bytes += nameBytes(name);
    used.set(name, day);
    isChanged = true;
  }
  return isChanged ? used : before;
};

/** Marks of two places: those that are newer. */
export const mergedMarks = (some: TypeMarks, others: TypeMarks): TypeMarks =>
  new Map([...some, ...[...others].filter(([name, day]) => (some.get(name) ?? 0) <= day)]);

/** Version of the item; readers accept this one and the one after. */
const MARKS_FORMAT = 1;

/** The marks of a project as one consistent read finds them. */
export const readMarks = async (table: Table, project: number): Promise<TypeMarks> =>
  decodeMarks(await table.get(itemKey(project), { consistent: true }));

/** A race for the item is lost to a query that marked something, and one of them wins each round. */
const TRIES = 50;

/**
 * Marks properties (`ownedName`). The marks lie beside what else queries write of a project, and not with the types: whoever asks may not
 * write the catalogue.
 */
export const markTypes = async (table: Table, project: number, asked: readonly string[], day: number): Promise<void> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const item = await table.get(itemKey(project), { consistent: true });
    const before = decodeMarks(item);
    const marks = withMarks(before, asked, day);
    if (
      marks === before ||
      (await putRevision(table, item, { ...itemKey(project), v: writtenVersion(MARKS_FORMAT), marks: pack([...marks]) }))
    )
      return;
  }
  throw new Defect(`the marks of property types of project ${project} could not be written in ${TRIES} tries`);
};

/** Only `markTypes` writes the item. Throws a `Defect` for a version that this program does not know. */
export const decodeMarks = (item: Item | undefined): TypeMarks => {
  if (item === undefined) return new Map();
  if (!isReadable(item.v, MARKS_FORMAT) || !(item.marks instanceof Uint8Array)) {
    throw new Defect("the marks of property types have a format that this version does not know");
  }
  return new Map(unpack(item.marks) as readonly (readonly [string, number])[]);
};

const itemKey = (project: number): Key => keyIn("project", "typeMarks", { project });
