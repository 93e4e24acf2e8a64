import { hash } from "node:crypto";
import { addressName } from "./address.ts";
import type { RawFrame } from "./raw-frame.ts";

/** The raw id of a frame: a digest of what was sent of it, and which of the frames it is that one raw frame became. */
export const frameRawId = (frame: RawFrame): string => `${hash("sha512", sentBytes(frame), "hex")}/0`;

/** The fields that were sent, one after the other; digested at once, because there are dozens of frames in an event. */
const sentBytes = (frame: RawFrame): Buffer | string => {
  const { lineno, colno, filename = "", module = "" } = frame;
  const name = frame.function ?? withoutName(frame);
  switch (frame.platform) {
    case "python":
    case "node:javascript": {
      const after = `${module}${frame.preContext.join("")}${frame.postContext.join("")}`;
      const before = `${frame.contextLine ?? ""}${filename}${name}`;
      return Buffer.concat([Buffer.from(before), fourBytes(lineno ?? 0), Buffer.from(after)]);
    }
    case "web:javascript":
      return `${name}${lineno !== undefined && colno !== undefined ? `${lineno}${colno}` : ""}${filename}`;
    default:
      return `${name}${filename}${lineno ?? ""}${colno ?? ""}${module}`;
  }
};

/** What tells frames apart that have no function. */
const withoutName = ({ unread, address, absPath = "" }: RawFrame): string =>
  unread ?? (address === undefined ? undefined : addressName(address)) ?? absPath;

const fourBytes = (line: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(line);
  return bytes;
};

/** The digest and part of a raw id; one that is written otherwise is a digest as a whole. */
export const parseRawId = (rawId: string): { readonly hash: string; readonly part: number } => {
  const match = /^([^/]*)\/(\d{1,9})$/.exec(rawId);
  return match === null ? { hash: rawId, part: 0 } : { hash: match[1] ?? "", part: Number(match[2]) };
};
