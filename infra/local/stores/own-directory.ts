import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isDiskFull } from "../../../lib/core/unavailable.ts";
import { UserError } from "../user-error.ts";

/** Makes or changes a directory. Throws the `UserError` that says why it cannot be had; `flag` is what names another one. */
export const ownDirectory = <T>(directory: string, flag: string, make: () => T): T => {
  try {
    return make();
  } catch (cause) {
    if (isDiskFull(cause)) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "EEXIST" || code === "ENOTDIR") throw new UserError(`${directory} is a file: name a directory with ${flag}.`);
    if (code === "EPERM") throw new UserError(`The directory ${directory} is somebody else's: name another one with ${flag}.`);
    throw new UserError(`The directory ${directory} cannot be made (${code}): name another one with ${flag}.`);
  }
};

/** Makes a directory with those above it, unless it is there. Node's own `recursive` never ends where nothing can be made, as below /proc. */
export const makeDirectory = (directory: string, mode = 0o777): void => {
  if (isDirectory(directory)) return;
  makeDirectory(dirname(directory), mode);
  try {
    mkdirSync(directory, { mode });
  } catch (cause) {
    // Another process may have been quicker.
    if (!isDirectory(directory)) throw cause;
  }
};

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
