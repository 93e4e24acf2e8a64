import { addressName } from "./address.ts";
import { PYTHON_MODULES } from "./python-modules.ts";
import type { Platform, RawFrame } from "./raw-frame.ts";
import { frameRawId } from "./raw-id.ts";
import { compactFrame, type Frame } from "./resolved-frame.ts";

/** A raw frame in the form that all platforms share, without maps of minified code. One that lacks what its platform needs is unresolved. */
export const mapFrame = (frame: RawFrame): Frame => {
  const failure = failureToRead(frame);
  if (failure !== undefined) return unresolvedFrame(frame, failure);
  switch (frame.platform) {
    case "python":
      return compactFrame({ ...named(frame), in_app: frame.inApp && !isPythonLibrary(frame), lang: languageOf(frame) });
    case "node:javascript":
      return nodeFrame(frame);
    case "web:javascript":
      return webFrame(frame);
    case "custom":
      return customFrame(frame);
    default:
      return compactFrame({ ...named(frame), column: frame.colno, lang: languageOf(frame) });
  }
};

const LANGUAGES = {
  python: "python",
  ruby: "ruby",
  "web:javascript": "javascript",
  "node:javascript": "javascript",
  go: "go",
  php: "php",
  hermes: "javascript",
  java: "java",
  dart: "dart",
  apple: "swift",
  native: "native",
  custom: "",
} as const;

const languageOf = ({ platform, lang }: RawFrame): string => lang ?? LANGUAGES[platform];

/** Platforms whose frames are known by their file. */
const NAMED_BY_FILE: ReadonlySet<Platform> = new Set(["python", "node:javascript"]);

/** Why nothing can be said of a frame that is better than what was sent. */
const failureToRead = (frame: RawFrame): string | undefined => {
  if (frame.unread !== undefined) return "The frame could not be read.";
  if (frame.function === undefined) return "The frame has no function.";
  if (frame.filename === undefined && NAMED_BY_FILE.has(frame.platform)) return "The frame has no filename.";
  return undefined;
};

const unresolvedFrame = (frame: RawFrame, failure: string): Frame =>
  compactFrame({
    ...named(frame),
    column: frame.colno,
    source: frame.platform === "web:javascript" ? urlPath(frame.filename) : frame.filename,
    resolved_name: undefined,
    resolved: false,
    resolve_failure: failure,
    lang: languageOf(frame),
    junk_drawer: frame.unread !== undefined ? { raw: frame.unread } : frame.address,
  });

/** A frame whose function has the name that the client sent. */
const named = (frame: RawFrame) => ({
  raw_id: frameRawId(frame),
  mangled_name: frame.function ?? placeName(frame),
  line: frame.lineno,
  column: undefined,
  source: frame.filename,
  module: frame.module,
  in_app: frame.inApp,
  resolved_name: frame.function,
  resolved: true,
  resolve_failure: undefined,
  synthetic: frame.synthetic,
  suspicious: false,
  junk_drawer: undefined,
  code_variables: frame.codeVariables ?? undefined,
});

/** What a frame without a function is called: its place in its image, which is the same at each start of a program, or a pseudo file. */
const placeName = ({ address, absPath }: RawFrame): string =>
  (address === undefined ? undefined : addressName(address)) ?? (absPath?.startsWith("<") ? absPath : "<unknown>");

const nodeFrame = (frame: RawFrame): Frame => {
  const filename = frame.filename ?? "";
  const isLibrary = filename.includes("node_modules") || filename.startsWith("node:");
  const node = { ...named(frame), in_app: frame.inApp && !isLibrary, lang: languageOf(frame) };
  if (frame.chunkId === undefined) return compactFrame(node);
  const isMinified = averageLength(frame) > LONG_LINE;
  return compactFrame({
    ...node,
    resolved_name: isMinified ? undefined : frame.function,
    resolved: !isMinified,
    resolve_failure: "No map of this chunk was uploaded.",
  });
};

/** Lines of a program that people write are shorter on average. */
const LONG_LINE = 300;

const averageLength = ({ contextLine, preContext, postContext }: RawFrame): number => {
  const lines = [...preContext, ...(contextLine === undefined ? [] : [contextLine]), ...postContext];
  return lines.length === 0 ? 0 : lines.reduce((sum, line) => sum + line.length, 0) / lines.length;
};

/** From this column on a line is one that no person wrote. */
const MINIFIED_COLUMN = 300;

/** A browser's frame, for which there is no source map: its name counts only where its code looks written by hand. */
const webFrame = (frame: RawFrame): Frame => {
  const { lineno, colno, filename } = frame;
  const web = { ...named(frame), source: urlPath(filename), module: undefined, lang: languageOf(frame) };
  if (lineno === undefined || colno === undefined) {
    return compactFrame({ ...web, line: undefined, in_app: frame.inApp && filename !== "<anonymous>" });
  }
  const isMinified = frame.chunkId !== undefined || (web.source !== undefined && colno > MINIFIED_COLUMN);
  return compactFrame({
    ...web,
    column: colno,
    resolved_name: isMinified ? undefined : frame.function,
    resolved: !isMinified,
    resolve_failure: "No source map was uploaded for this frame.",
  });
};

/** The path of an absolute address on the web; undefined for everything else. */
const urlPath = (filename: string | undefined): string | undefined => {
  if (filename === undefined || !/^https?:\/\//i.test(filename)) return undefined;
  return addressPath(filename);
};

/** The path of an absolute address, behind which some engines write the place in the file. */
export const addressPath = (filename: string): string | undefined => URL.parse(filename.replace(/:\d+(?::\d+)?$/, ""))?.pathname;

const customFrame = (frame: RawFrame): Frame => {
  const resolved = frame.resolved ?? false;
  return compactFrame({
    ...named(frame),
    column: frame.colno,
    resolved_name: resolved ? frame.function : undefined,
    resolved,
    resolve_failure: frame.resolved === undefined ? "The frame does not say that it is resolved." : undefined,
    lang: languageOf(frame),
  });
};

const PYTHON_LIBRARY = /\/lib\/python\d{1,3}\.\d{1,3}\//;

/** Frames of installed packages and of python itself are not the client's own, whatever it says. */
const isPythonLibrary = ({ absPath, filename = "", module }: RawFrame): boolean => {
  const path = absPath ?? filename;
  if (path.includes("/site-packages/") || path.includes("/dist-packages/")) return true;
  if (absPath !== undefined && PYTHON_LIBRARY.test(absPath)) return true;
  const isPseudo = filename.startsWith("<") && filename.endsWith(">");
  return (absPath === undefined || isPseudo) && PYTHON_MODULES.has(module?.split(".", 1)[0] ?? "");
};
