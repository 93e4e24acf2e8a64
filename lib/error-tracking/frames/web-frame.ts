import type { RawFrame } from "./raw-frame.ts";
import { rawIdOf } from "./raw-id.ts";
import { type Frame, frameOf } from "./resolved-frame.ts";

/** From this column on a line is one that no person wrote. */
const MINIFIED_COLUMN = 300;

const NO_MAP = "No source map was uploaded for this frame.";

/** A browser's frame, for which there is no source map: its name counts only where its code looks written by hand. */
export const webFrame = (frame: RawFrame): Frame => {
  const { lineno, colno, filename } = frame;
  const common = {
    raw_id: rawIdOf(frame),
    mangled_name: frame.function,
    source: urlPath(filename),
    module: undefined,
    lang: "javascript",
    synthetic: frame.synthetic,
    suspicious: false,
    junk_drawer: undefined,
    code_variables: frame.codeVariables ?? undefined,
  };
  if (lineno === undefined || colno === undefined) {
    return frameOf({
      ...common,
      line: undefined,
      column: undefined,
      in_app: frame.inApp && filename !== "<anonymous>",
      resolved_name: frame.function,
      resolved: true,
      resolve_failure: undefined,
    });
  }
  const isMinified = frame.chunkId !== undefined || (common.source !== undefined && colno > MINIFIED_COLUMN);
  return frameOf({
    ...common,
    line: lineno,
    column: colno,
    in_app: frame.inApp,
    resolved_name: isMinified ? undefined : frame.function,
    resolved: !isMinified,
    resolve_failure: NO_MAP,
  });
};

/** The path of an absolute address on the web; undefined for everything else. */
const urlPath = (filename: string | undefined): string | undefined => {
  if (filename === undefined || !/^https?:\/\//i.test(filename)) return undefined;
  return URL.parse(filename.replace(/:\d+(?::\d+)?$/, ""))?.pathname;
};
