import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { Defect } from "../../lib/core/unreachable.ts";
import { platformFunction, type Surroundings } from "./http-function.ts";
import type { ServedFunction } from "./stage-sizes.ts";

/** The platform takes no function larger than this, unpacked. */
const MAX_UNPACKED_BYTES = 250 * 1024 * 1024;

/** A function with the query engine: one whose folder, native code included, still fits. */
export const queryFunction = (
  scope: Construct,
  served: ServedFunction,
  around: Surroundings,
  settings?: Readonly<Record<string, string>>,
): lambda.Function => {
  const folder = around.bundles.get(served.name);
  const bytes = folder === undefined ? 0 : unpackedBytes(folder);
  if (bytes >= MAX_UNPACKED_BYTES) throw new Defect(`${served.name} is ${bytes} bytes unpacked; the platform takes ${MAX_UNPACKED_BYTES}`);
  return platformFunction(scope, served, around, settings);
};

const unpackedBytes = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
