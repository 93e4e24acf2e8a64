import { type Fields, isFields } from "../../event/fields.ts";
import { optionalFlag, optionalLine, optionalText, type Place, textList } from "../parsing/fields.ts";
import { unreadText } from "./unread.ts";

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

/** A frame as a client sent it: whatever is missing, or of another type than it should be, is absent. */
export interface RawFrame {
  readonly platform: Platform;
  readonly function: string | undefined;
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
  /** Of the platforms `custom` and `native`. */
  readonly lang: string | undefined;
  /** Of the platform `custom`. */
  readonly resolved: boolean | undefined;
  /** Where the code of a compiled program lies; undefined for the platforms that know no addresses. */
  readonly address: Address | undefined;
  /** The bounded text of what is no frame at all, of which nothing else is known. */
  readonly unread: string | undefined;
}

/** Addresses as they were sent, in hexadecimal. */
export interface Address {
  readonly instruction_addr?: string;
  readonly symbol_addr?: string;
  /** Where the image was loaded: another place at each start of the program. */
  readonly image_addr?: string;
  /** The name or path of the image. */
  readonly package?: string;
}

const COMPILED: ReadonlySet<Platform> = new Set(["apple", "native", "dart"]);

export const readRawFrame = (frame: unknown, place: Place): RawFrame => {
  if (!isFields(frame)) return unreadFrame(frame, place);
  const platform = readPlatform(frame, place);
  const text = (key: string): string | undefined => optionalText(frame, key, place);
  return {
    platform,
    function: text("function"),
    filename: text("filename"),
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
    lang: readLang(frame, platform, place),
    resolved: optionalFlag(frame, "resolved", place),
    address: COMPILED.has(platform) ? readAddress(frame, place) : undefined,
    unread: undefined,
  };
};

/** A platform that nobody has heard of is one that a client made: `custom`. */
const readPlatform = (frame: Fields, place: Place): Platform => {
  const platform = ALIASES.get(frame.platform);
  if (platform === undefined) place.faults.note(`${place.path}: platform is missing or unknown`);
  return platform ?? "custom";
};

const readLang = (frame: Fields, platform: Platform, place: Place): string | undefined => {
  if (platform !== "custom" && platform !== "native") return undefined;
  const unknown = platform === "custom" && typeof frame.platform === "string" && !ALIASES.has(frame.platform) ? frame.platform : undefined;
  return optionalText(frame, "lang", place) ?? unknown;
};

const readAddress = (frame: Fields, place: Place): Address | undefined => {
  const [instruction, symbol, image, name] = (["instruction_addr", "symbol_addr", "image_addr", "package"] as const).map((key) =>
    optionalText(frame, key, place),
  );
  if (instruction === undefined && name === undefined) return undefined;
  return {
    ...(instruction !== undefined && { instruction_addr: instruction }),
    ...(symbol !== undefined && { symbol_addr: symbol }),
    ...(image !== undefined && { image_addr: image }),
    ...(name !== undefined && { package: name }),
  };
};

const unreadFrame = (frame: unknown, { path, faults }: Place): RawFrame => {
  faults.note(`${path} must be an object`);
  return {
    platform: "custom",
    function: undefined,
    filename: undefined,
    lineno: undefined,
    colno: undefined,
    module: undefined,
    absPath: undefined,
    contextLine: undefined,
    preContext: [],
    postContext: [],
    chunkId: undefined,
    codeVariables: undefined,
    inApp: false,
    synthetic: false,
    lang: undefined,
    resolved: undefined,
    address: undefined,
    unread: unreadText(frame),
  };
};
