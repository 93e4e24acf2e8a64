import { GENERATION, NEXT_GENERATION } from "../../lib/core/formats.ts";
import { UserError } from "../local/user-error.ts";
import { FORMATS_WRITTEN, STACK_OUTPUTS } from "../outputs.ts";
import type { StackAccount } from "./stack-account.ts";

/**
 * Looks whether this release and the one that is deployed can read what each other writes: while functions are replaced both are at work,
 * and a deployment that fails is rolled back. Throws a `UserError` with what to deploy first where they cannot.
 */
export const checkFormats = async (
  account: Pick<StackAccount, "outputs">,
  stage: string,
  writeFormats: string | undefined,
): Promise<void> => {
  const [front, data] = await Promise.all([account.outputs(stage), account.outputs(`${stage}-data`)]);
  const read = numberIn(front, STACK_OUTPUTS.formatsRead);
  const written = numberIn(data, FORMATS_WRITTEN);
  const writes = Number(writeFormats ?? GENERATION);
  if (written !== undefined && written > NEXT_GENERATION)
    throw new UserError(
      `${stage} writes formats of generation ${written}, and this release reads those up to ${NEXT_GENERATION}: deploy a newer release.`,
    );
  if (read !== undefined && writes > read)
    throw new UserError(
      `This deployment would write formats of generation ${writes}, and the functions of ${stage} read those up to ${read}: ${
        writes > GENERATION
          ? `deploy this release with -c writeFormats=${GENERATION} first, then once more with ${writes}.`
          : "deploy a release between the two first."
      }`,
    );
};

/** Undefined where there is no such stack yet. */
const numberIn = (outputs: ReadonlyMap<string, string> | undefined, name: string): number | undefined => {
  const value = outputs?.get(name);
  return value === undefined ? undefined : Number(value);
};
