import { keyPart } from "../../table/key-part.ts";
import { addressPath } from "../frames/map-frame.ts";
import type { RawFrame } from "../frames/raw-frame.ts";
import { LONGEST_NAME } from "./function-name.ts";
import type { BuiltPlace } from "./source-map.ts";

/** A frame of built code that an uploaded map could resolve. */
export interface MappableFrame {
  /** Names the set to look for. */
  readonly ref: string;
  readonly place: BuiltPlace;
}

/** The longest ref of a set, in UTF-8. */
export const MOST_REF_BYTES = 500;

/** A ref is part of a key, which has at most 1,024 bytes: `#` and `%` take three each there. */
const MOST_KEY_BYTES = 1_000;

/** Whether a set can have this ref. */
export const isRef = (text: string): boolean =>
  text !== "" && Buffer.byteLength(text) <= MOST_REF_BYTES && Buffer.byteLength(keyPart(text, "sk")) <= MOST_KEY_BYTES;

/**
 * What a map needs of a frame: by the id of its chunk, or else by the release that the event names and the path of the file.
 * Undefined for every other frame.
 */
export const mappableFrame = (frame: RawFrame, releaseId: string | null): MappableFrame | undefined => {
  const { platform, chunkId, function: said = "", lineno, colno } = frame;
  // Places are remembered by it.
  const name = said.length > LONGEST_NAME ? "" : said;
  if (colno === undefined) return undefined;
  const ref = chunkId ?? refOfFile(frame, releaseId);
  if (ref === undefined || !isRef(ref)) return undefined;
  // Byte code has one line, and its column is an offset from 0.
  if (platform === "hermes") return { ref, place: { line: 0, column: colno, function: name } };
  if (platform !== "web:javascript" && platform !== "node:javascript") return undefined;
  if (lineno === undefined || lineno < 1 || colno < 1) return undefined;
  return { ref, place: { line: lineno - 1, column: colno - 1, function: name } };
};

const refOfFile = ({ filename }: RawFrame, releaseId: string | null): string | undefined => {
  const path = releaseId === null || filename === undefined ? undefined : addressPath(filename);
  return path?.startsWith("/") ? `${releaseId}${path}` : undefined;
};
