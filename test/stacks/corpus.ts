import { APPLE_STACKS } from "./apple.ts";
import { DART_STACKS } from "./dart.ts";
import { HERMES_STACKS } from "./hermes.ts";
import { ANDROID_STACKS, JAVA_STACKS } from "./jvm.ts";
import { NODE_STACKS } from "./node.ts";
import { PYTHON_STACKS } from "./python.ts";
import { DOTNET_STACKS, ELIXIR_STACKS, GO_STACKS, OTHER_STACKS, PHP_STACKS, RUBY_STACKS, RUST_STACKS } from "./servers.ts";
import type { Stack } from "./stack.ts";
import { WEB_STACKS } from "./web.ts";

/** Stacks in the forms of all SDKs. Those of one SDK are compared with each other. */
export const CORPUS: Readonly<Record<string, readonly Stack[]>> = {
  web: WEB_STACKS,
  "react native": HERMES_STACKS,
  node: NODE_STACKS,
  python: PYTHON_STACKS,
  java: JAVA_STACKS,
  android: ANDROID_STACKS,
  apple: APPLE_STACKS,
  flutter: DART_STACKS,
  go: GO_STACKS,
  rust: RUST_STACKS,
  ruby: RUBY_STACKS,
  php: PHP_STACKS,
  ".net": DOTNET_STACKS,
  elixir: ELIXIR_STACKS,
  other: OTHER_STACKS,
};
