import { createHash } from "node:crypto";
import type { RawFrame } from "./raw-frame.ts";

/** What names a frame by what was sent of it: a digest, and which of the frames it is that one raw frame became. */
export const rawIdOf = (frame: RawFrame): string => {
  const hash = createHash("sha512");
  const add = (part: string | undefined): void => {
    if (part !== undefined) hash.update(part);
  };
  switch (frame.platform) {
    case "python":
    case "node:javascript":
      add(frame.contextLine);
      add(frame.filename);
      add(frame.function);
      hash.update(fourBytes(frame.lineno ?? 0));
      add(frame.module);
      for (const line of frame.preContext) hash.update(line);
      for (const line of frame.postContext) hash.update(line);
      break;
    case "web:javascript":
      add(frame.function);
      if (frame.lineno !== undefined && frame.colno !== undefined) hash.update(`${frame.lineno}${frame.colno}`);
      add(frame.filename);
      break;
    default:
      add(frame.function);
      add(frame.filename);
      add(frame.lineno === undefined ? undefined : String(frame.lineno));
      add(frame.colno === undefined ? undefined : String(frame.colno));
      add(frame.module);
  }
  return `${hash.digest("hex")}/0`;
};

const fourBytes = (line: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(line);
  return bytes;
};

/** The digest and part of a raw id; one that is written otherwise is a digest as a whole. */
export const partsOfRawId = (rawId: string): { readonly hash: string; readonly part: number } => {
  const match = /^([^/]*)\/(\d{1,9})$/.exec(rawId);
  return match === null ? { hash: rawId, part: 0 } : { hash: match[1] ?? "", part: Number(match[2]) };
};
