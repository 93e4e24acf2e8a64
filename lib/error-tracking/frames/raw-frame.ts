import type { Fields } from "../../event/fields.ts";
import { optionalFlag, optionalLine, optionalText, ParseError, requiredText, textList } from "../parsing/fields.ts";

const PLATFORMS = [
  "python",
  "ruby",
  "web:javascript",
  "node:javascript",
  "go",
  "php",
  "hermes",
  "java",
  "dart",
  "apple",
  "native",
  "custom",
] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Older names of platforms. */
const ALIASES: ReadonlyMap<unknown, Platform> = new Map<unknown, Platform>([
  ["javascript", "web:javascript"],
  ["rust", "native"],
  ...PLATFORMS.map((platform) => [platform, platform] as const),
]);

/** A frame as a client sent it, its types checked. */
export interface RawFrame {
  readonly platform: Platform;
  readonly function: string;
  readonly filename: string | undefined;
  readonly lineno: number | undefined;
  readonly colno: number | undefined;
  readonly module: string | undefined;
  readonly absPath: string | undefined;
  readonly contextLine: string | undefined;
  readonly preContext: readonly string[];
  readonly postContext: readonly string[];
  readonly chunkId: string | undefined;
  readonly codeVariables: unknown;
  readonly inApp: boolean;
  readonly synthetic: boolean;
  /** Of the platform `custom` only. */
  readonly lang: string | undefined;
  readonly resolved: boolean | undefined;
}

const NAMED_BY_FILE: ReadonlySet<Platform> = new Set(["python", "node:javascript"]);

export const readRawFrame = (frame: Fields, place: string): RawFrame => {
  const platform = ALIASES.get(frame.platform);
  if (platform === undefined) throw new ParseError(`${place}: platform is missing or unknown`);
  const text = (key: string): string | undefined => optionalText(frame, key, place);
  const filename = NAMED_BY_FILE.has(platform) ? requiredText(frame, "filename", place) : text("filename");
  const resolved = optionalFlag(frame, "resolved", place);
  if (platform === "custom" && resolved === undefined) throw new ParseError(`${place} has no resolved`);
  return {
    platform,
    function: requiredText(frame, "function", place),
    filename,
    lineno: optionalLine(frame, "lineno", place),
    colno: optionalLine(frame, "colno", place),
    module: text("module"),
    absPath: text("abs_path"),
    contextLine: text("context_line"),
    preContext: textList(frame, "pre_context", place),
    postContext: textList(frame, "post_context", place),
    chunkId: text("chunk_id") ?? text("chunkId"),
    codeVariables: frame.code_variables,
    inApp: optionalFlag(frame, "in_app", place) ?? true,
    synthetic: optionalFlag(frame, "synthetic", place) ?? false,
    lang: platform === "custom" ? requiredText(frame, "lang", place) : undefined,
    resolved,
  };
};
