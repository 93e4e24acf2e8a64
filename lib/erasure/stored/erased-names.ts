import * as z from "zod";
import { isReadable, writtenVersion } from "../../core/formats.ts";
import { pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import { erasureKey } from "../../lake/paths.ts";
import type { Objects } from "../../ports/objects.ts";

/** Version of what an erasure on its way has to know; readers accept this one and the one after. */
const ERASED_NAMES_FORMAT = 1;

const ErasedNames = z.object({
  distinctIds: z.array(z.string()),
  /** Whether what comes later for them is kept, as the project said when it was begun. */
  keepsLate: z.boolean(),
  /** Values of the person's properties that name them. */
  names: z.array(z.string()),
  /** The issues and the frames of their exceptions. */
  issues: z.array(z.string()),
  frames: z.array(z.string()),
});

/** Who is being erased. It goes with the last step of that. */
export type ErasedNames = z.output<typeof ErasedNames>;

/** Keeps it before anything is taken away: afterwards nobody could say any more which ids were one person's. */
export const keepNames = (objects: Pick<Objects, "put">, project: number, id: string, names: ErasedNames): Promise<void> =>
  objects.put(erasureKey(project, id), pack({ v: writtenVersion(ERASED_NAMES_FORMAT), ...names }));

/** Undefined once the erasure is done. */
export const readNames = async (objects: Pick<Objects, "get">, project: number, id: string): Promise<ErasedNames | undefined> => {
  const bytes = await objects.get(erasureKey(project, id));
  if (bytes === undefined) return undefined;
  const stored = unpack(bytes);
  if (!isReadable(Object(stored).v, ERASED_NAMES_FORMAT)) throw new Defect("an erasure of a format that this version does not read");
  return ErasedNames.parse(stored);
};

export const forgetNames = (objects: Pick<Objects, "remove">, project: number, id: string): Promise<void> =>
  objects.remove([erasureKey(project, id)]);
