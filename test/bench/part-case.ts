import { endWithParent } from "../support/processes/process-group.ts";
import type { Part } from "./figures.ts";

/** One part in a process of its own: the file that has it, and its name. */
endWithParent();
const [from = "", name] = process.argv.slice(2);

const measured = async () => {
  const { parts }: { readonly parts: readonly Part[] } = await import(from);
  const part = parts.find((each) => each.name === name);
  if (part === undefined) throw new Error(`no part is called ${name}`);
  return { figures: await part.run() };
};

const told = await measured().catch((error: unknown) => ({
  failed: error instanceof Error ? (error.stack ?? error.message) : String(error),
}));
process.send?.(told);
