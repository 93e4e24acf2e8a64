import { type Frame, type Stack, sent } from "./stack.ts";

const LIB = "posthog-flutter";
const frame = (name: string, file: string, lineno: number, in_app = true): Frame => ({
  platform: "dart",
  abs_path: `package:shop/${file}`,
  in_app,
  package: in_app ? "shop" : "flutter",
  function: name,
  filename: file,
  lineno,
  colno: 5,
});
const GAP: Frame = { platform: "dart", abs_path: "<asynchronous suspension>", in_app: false, synthetic: true };
const dart = (type: string, value: string, ...frames: readonly Frame[]): Stack["properties"] => sent(LIB, type, value, frames);
/** A line of a build without symbols, which the SDK sends as it stands. */
const obfuscated = (base: number, offset: number, symbol = "_kDartIsolateSnapshotInstructions"): Frame => ({
  platform: "dart",
  abs_path: "unparsed",
  in_app: true,
  function: `#00 abs ${(base + offset).toString(16).padStart(16, "0")} virt ${offset.toString(16).padStart(16, "0")} ${symbol}+0x${offset.toString(16)}`,
});

export const DART_STACKS: readonly Stack[] = [
  {
    told: "a widget",
    issue: "cart",
    properties: dart("StateError", "x", frame("CartState.build", "cart.dart", 40), frame("Cart.total", "cart.dart", 12)),
  },
  {
    told: "other lines",
    issue: "cart",
    properties: dart("StateError", "y", frame("CartState.build", "cart.dart", 44), frame("Cart.total", "cart.dart", 15)),
  },
  { told: "another method", issue: "list", properties: dart("StateError", "x", frame("ListState.build", "list.dart", 40)) },
  {
    told: "an asynchronous gap within",
    issue: "gap",
    properties: dart("TimeoutException", "x", frame("main", "main.dart", 3), GAP, frame("Api.fetch", "api.dart", 20)),
  },
  {
    told: "two gaps of the same call",
    issue: "gap",
    properties: dart("TimeoutException", "x", frame("main", "main.dart", 3), GAP, GAP, frame("Api.fetch", "api.dart", 20)),
  },
  {
    told: "the framework only, with a gap last",
    issue: "framework",
    before: "framework",
    properties: dart("FlutterError", "x", frame("runApp", "binding.dart", 1, false), frame("RenderBox.layout", "box.dart", 2, false), GAP),
  },
  {
    told: "another part of the framework",
    issue: "framework-other",
    before: "framework",
    properties: dart(
      "FlutterError",
      "x",
      frame("runApp", "binding.dart", 1, false),
      frame("RenderFlex.performLayout", "flex.dart", 2, false),
    ),
  },
  {
    told: "a build without symbols",
    issue: "obfuscated",
    before: "obfuscated-1",
    properties: dart("minified:aB", "x", obfuscated(0x72_3d00_0000, 0x1e26d7)),
  },
  {
    told: "the same at the next start",
    issue: "obfuscated",
    before: "obfuscated-2",
    properties: dart("minified:aB", "x", obfuscated(0x6f_aa00_0000, 0x1e26d7)),
  },
  {
    told: "another place of it",
    issue: "obfuscated-elsewhere",
    before: "obfuscated-3",
    properties: dart("minified:aB", "x", obfuscated(0x72_3d00_0000, 0x2ff000)),
  },
  { told: "gaps alone", issue: "gaps", before: "gaps", properties: dart("AsyncError", "no element", GAP) },
  {
    told: "gaps alone, with another message",
    issue: "gaps-other",
    before: "gaps",
    properties: dart("AsyncError", "too many elements", GAP),
  },
];
