import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

/** What files of native code begin with, on the systems that there are. */
const ELF = 0x7f454c46;
const OTHERS: readonly number[] = [0xcffaedfe, 0xfeedfacf, 0xcefaedfe, 0xfeedface, 0xcafebabe];
const PE = 0x4d5a;

/** Where an ELF file says which processor it is for, and what it says for arm64. */
const MACHINE_AT = 18;
const ARM64 = 0xb7;
const HEADER_BYTES = 20;

/** How a folder's files of native code are divided: those that a deployed function can load, and those that are for another machine. */
export interface NativeFiles {
  readonly loadable: readonly string[];
  readonly foreign: readonly string[];
}

/** Finds native code in a folder by what files begin with, not by their names. */
export const nativeFiles = (folder: string): NativeFiles => {
  const kinds = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, kind: kindOf(file) }));
  const of = (wanted: Kind): readonly string[] => kinds.filter(({ kind }) => kind === wanted).map(({ file }) => file);
  return { loadable: of("loadable"), foreign: of("foreign") };
};

type Kind = "loadable" | "foreign" | "none";

const kindOf = (file: string): Kind => {
  const header = Buffer.alloc(HEADER_BYTES);
  const opened = openSync(file, "r");
  const length = readSync(opened, header, 0, HEADER_BYTES, 0);
  closeSync(opened);
  if (length < HEADER_BYTES) return "none";
  if (header.readUInt32BE(0) === ELF) return header.readUInt16LE(MACHINE_AT) === ARM64 ? "loadable" : "foreign";
  return OTHERS.includes(header.readUInt32BE(0)) || header.readUInt16BE(0) === PE ? "foreign" : "none";
};
