import { type Frame, type Stack, sent } from "./stack.ts";

const LIB = "posthog-react-native";
const frame = (name: string, colno: number, filename = "index.android.bundle", platform = "hermes"): Frame => ({
  platform,
  filename,
  function: name,
  in_app: true,
  lineno: 1,
  colno,
});
const native = (value: string, ...frames: readonly Frame[]): Stack["properties"] => sent(LIB, "TypeError", value, frames);
const IOS = "/var/containers/Bundle/Application/5E4F9A1C-7B3D-4C2A-9F10-0A1B2C3D4E5F/Shop.app/main.jsbundle";
const IOS_ELSEWHERE = "/var/containers/Bundle/Application/0D1C2B3A-1111-4222-8333-444455556666/Shop.app/main.jsbundle";

export const HERMES_STACKS: readonly Stack[] = [
  { told: "named functions", issue: "named", properties: native("x", frame("App", 41_200), frame("checkout", 52_301)) },
  { told: "the next build: other columns", issue: "named", properties: native("x", frame("App", 40_007), frame("checkout", 53_999)) },
  { told: "another function", issue: "named-other", properties: native("x", frame("App", 41_200), frame("search", 52_301)) },
  {
    told: "anonymous",
    issue: "anonymous-1",
    before: "anonymous",
    properties: native("x", frame("anonymous", 71_000), frame("anonymous", 71_555)),
  },
  {
    told: "anonymous, elsewhere",
    issue: "anonymous-2",
    before: "anonymous",
    properties: native("x", frame("anonymous", 71_000), frame("anonymous", 90_210)),
  },
  {
    told: "anonymous again",
    issue: "anonymous-1",
    before: "anonymous",
    properties: native("y", frame("anonymous", 71_000), frame("anonymous", 71_555)),
  },
  { told: "without any name", issue: "unknown-1", before: "unknown", properties: native("x", frame("?", 812)) },
  { told: "without any name, elsewhere", issue: "unknown-2", before: "unknown", properties: native("x", frame("?", 133)) },
  { told: "names made short", issue: "short-1", before: "short", properties: native("x", frame("t", 5_000)) },
  { told: "names made short, elsewhere", issue: "short-2", before: "short", properties: native("x", frame("t", 6_000)) },
  { told: "a phone's bundle", issue: "ios", before: "ios-1", properties: native("x", frame("checkout", 52_301, IOS)) },
  { told: "the same on another phone", issue: "ios", before: "ios-2", properties: native("x", frame("checkout", 52_301, IOS_ELSEWHERE)) },
  {
    told: "the older engine, which sends frames as of the web",
    issue: "jsc-1",
    before: "jsc",
    properties: native("x", frame("?", 1_111, "index.android.bundle", "web:javascript")),
  },
  {
    told: "the older engine, elsewhere",
    issue: "jsc-2",
    before: "jsc",
    properties: native("x", frame("?", 2_222, "index.android.bundle", "web:javascript")),
  },
  {
    told: "an address as the engine writes it",
    issue: "address",
    properties: native("x", frame("checkout", 52_301, "address at index.android.bundle")),
  },
];
