import { NEXT_GENERATION } from "../../lib/core/formats.ts";
import { type BootOptions, boot } from "./boot.ts";
import { applyFirstProject } from "./journey.ts";
import { readingOwn, withoutLoops, writing } from "./releases.ts";
import { largeBatch, putOff, type Step, upgradeAndBack } from "./steps.ts";
import type { Output } from "./template.ts";

/** Something that is wrong with a stage or with what it stands on, and the part of its life in which that has to be noticed. */
interface Red {
  readonly name: string;
  readonly output: Output;
  readonly step: Step;
  readonly options?: BootOptions;
}

/** What a rehearsal has to be red for. `folder` is for changed code. */
const reds = async (output: Output, folder: string): Promise<readonly Red[]> => [
  { name: "a gateway that unpacks nothing", output, step: largeBatch, options: { decompresses: false } },
  { name: "functions that may not call themselves through queues", output: withoutLoops(output), step: putOff },
  {
    name: "formats that are written before all functions read them",
    output: await readingOwn(output, folder),
    step: upgradeAndBack(writing(output, NEXT_GENERATION)),
  },
];

/** Lives through each red, and returns what was noticed by its name; nothing where it stayed green. */
export const tryReds = async (
  output: Output,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string | undefined>> => {
  const noticed = new Map<string, string | undefined>();
  for (const { name, output: wrong, step, options } of await reds(output, folder)) {
    const standing = await boot(wrong, { variables, ...options });
    try {
      const thrown = await step(standing, await applyFirstProject(standing)).then(
        () => undefined,
        (fault: unknown) => String(fault),
      );
      noticed.set(name, thrown ?? [...standing.functions.faults, ...standing.faults.map(String)][0]);
    } finally {
      await standing.stop();
    }
  }
  return noticed;
};
