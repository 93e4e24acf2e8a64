import { type Frame, type Stack, sent } from "./stack.ts";

const LIB = "posthog-ios";
const hex = (address: number): string => `0x${address.toString(16).padStart(16, "0")}`;

/** A frame of the application, loaded at some address; without a function where the store's build has no symbols. */
const own = (offset: number, base: number, name?: string): Frame => ({
  platform: "apple",
  instruction_addr: hex(base + offset),
  image_addr: hex(base),
  module: "Shop",
  package: "/private/var/containers/Bundle/Application/7B3D9A1C-0A1B-4C2A-9F10-5E4F2C3D4E5F/Shop.app/Shop",
  in_app: true,
  ...(name !== undefined && { function: name, symbol_addr: hex(base + offset - 8) }),
});
const system = (name: string, module = "UIKitCore"): Frame => ({
  platform: "apple",
  instruction_addr: hex(0x1_8f00_1234),
  image_addr: hex(0x1_8f00_0000),
  module,
  package: `/System/Library/PrivateFrameworks/${module}.framework/${module}`,
  function: name,
  in_app: false,
});
const apple = (type: string, ...frames: readonly Frame[]): Stack["properties"] => sent(LIB, type, "x", frames);
const [HERE, THERE] = [0x1_04a0_0000, 0x1_0077_0000];

export const APPLE_STACKS: readonly Stack[] = [
  {
    told: "Swift with symbols",
    issue: "checkout",
    properties: apple("CartError", system("UIApplicationMain"), own(0x41c0, HERE, "$s4Shop4CartC8checkoutyyF")),
  },
  {
    told: "the same at the next start",
    issue: "checkout",
    properties: apple("CartError", system("UIApplicationMain"), own(0x41c0, THERE, "$s4Shop4CartC8checkoutyyF")),
  },
  {
    told: "another function",
    issue: "pay",
    properties: apple("CartError", system("UIApplicationMain"), own(0x5000, HERE, "$s4Shop4CartC3payyyF")),
  },
  {
    told: "a store's build, without functions",
    issue: "stripped",
    before: "stripped-all",
    properties: apple("SIGTRAP", system("main", "libdyld"), own(0x41c0, HERE)),
  },
  {
    told: "the same at the next start",
    issue: "stripped",
    before: "stripped-all",
    properties: apple("SIGTRAP", system("main", "libdyld"), own(0x41c0, THERE)),
  },
  {
    told: "another place of it",
    issue: "stripped-elsewhere",
    before: "stripped-all",
    properties: apple("SIGTRAP", system("main", "libdyld"), own(0x9ff0, HERE)),
  },
  {
    told: "nothing but the application, without functions",
    issue: "bare",
    properties: apple("EXC_BAD_ACCESS", own(0x1000, HERE), own(0x2000, HERE)),
  },
  { told: "the same at the next start", issue: "bare", properties: apple("EXC_BAD_ACCESS", own(0x1000, THERE), own(0x2000, THERE)) },
  { told: "elsewhere", issue: "bare-elsewhere", properties: apple("EXC_BAD_ACCESS", own(0x1000, HERE), own(0x3000, HERE)) },
  {
    told: "the one symbol that a stripped program has",
    issue: "header-1",
    before: "header",
    properties: apple("SIGABRT", own(0x1000, HERE, "_mh_execute_header")),
  },
  {
    told: "the same elsewhere",
    issue: "header-2",
    before: "header",
    properties: apple("SIGABRT", own(0x2000, HERE, "_mh_execute_header")),
  },
  {
    told: "the system's code only",
    issue: "layout",
    before: "system",
    properties: apple(
      "NSInvalidArgumentException",
      system("UIApplicationMain"),
      system("-[UIView layoutIfNeeded]"),
      system("-[UILabel setText:]"),
    ),
  },
  {
    told: "other code of it, begun by the same",
    issue: "table",
    before: "system",
    properties: apple("NSInvalidArgumentException", system("UIApplicationMain"), system("-[UITableView reloadData]")),
  },
  {
    told: "an address that no image holds",
    issue: "nowhere",
    properties: apple("SIGBUS", { platform: "apple", instruction_addr: hex(0x10), in_app: false }),
  },
];
