import { rememberingTexts } from "./cleaned-texts.ts";

/** A longer name is nobody's function. */
const MOST_CHARACTERS = 2_000;

/** What may have been generated in a name: most have nothing of it. */
const MAY_BE_GENERATED = /[\d${]|@anonymous/;

/** Parts of names of functions and classes that compilers and runtimes number or hash, so that each build or start has others. */
const GENERATED: readonly (readonly [RegExp, string])[] = [
  // Dart without symbols: `#00 abs 000000723d6346d7 virt 00000000001ed6d7 _kDartIsolateSnapshotInstructions+0x1e26d7`.
  [/^#\d+\s+abs [0-9a-f]+(?: virt [0-9a-f]+)? (\S+)$/, "$1"],
  // Rust: `shop::checkout::h2f6e4cd2a1b0c3d4`.
  [/::h[0-9a-f]{16}$/, ""],
  // Go: the arguments of a call.
  [/\(0x[^()]*\)$/, ""],
  // Java: lambdas, proxies, generated accessors and classes.
  [/\$\$Lambda(?:\$\d+)?(?:\/(?:0x)?[0-9a-f]+)?/g, "$$$$Lambda"],
  [/\$\$((?:Enhancer|FastClass)By(?:Spring)?CGLIB|SpringCGLIB)\$\$[0-9a-f]+/g, "$$$$$1"],
  [/\$\$((?:External|Internal)Synthetic(?:Lambda|Outline))\$?[\w$]*/g, "$$$$$1"],
  [/(\$Proxy|Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+/g, "$1"],
  [/lambda\$([^$]{1,200})\$\d+/g, "lambda$$$1"],
  // C#: closures and state machines.
  [/<(\w{0,200})>([a-z])__(DisplayClass)?[\d_]+/g, "<$1>$2__$3"],
  // PHP: closures and classes without a name are called by file and line.
  [/\{closure:[^{}]*\}/g, "{closure}"],
  [/(class@anonymous).*$/s, "$1"],
];

/** A name without what is generated anew for each build or start. */
export const cleanName = (name: string): string =>
  name.length > MOST_CHARACTERS || !MAY_BE_GENERATED.test(name) ? name : cleanMarkedName(name);

const cleanMarkedName = rememberingTexts((name) => GENERATED.reduce((text, [part, kept]) => text.replace(part, kept), name));

const WITHOUT_NAME: ReadonlySet<string> = new Set([
  "",
  "?",
  "???",
  "anonymous",
  "<anonymous>",
  "(anonymous)",
  "(anonymous function)",
  "<unknown>",
  "<redacted>",
  "global",
  "<global>",
  "global code",
  // All that a stripped program of Apple's has.
  "_mh_execute_header",
  "__mh_execute_header",
]);

/** Whether a name says nothing: it stands for a function without one, or is the address at which it was loaded. */
export const isNoName = (name: string): boolean => WITHOUT_NAME.has(name) || /^(?:\?anon_\d+_?|0x[0-9a-f]+)$/i.test(name);

/** Whether it may be one that was made short: of one or two letters. */
export const isShortName = (name: string): boolean => name.length <= 2;
