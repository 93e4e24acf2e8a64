import { type ConsoleFiles, consoleFiles, type ReadConsole } from "../../lib/console/files.ts";

let files: Promise<ConsoleFiles> | undefined;

/** The console from its sources, built when it is first asked for. */
export const builtConsole: ReadConsole = () => (files ??= built());

const built = async (): Promise<ConsoleFiles> => {
  const { buildConsole } = await import("./build.ts");
  return consoleFiles(await buildConsole());
};
