import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { STACK_OUTPUTS } from "../../infra/outputs.ts";
import type { Table } from "../../lib/ports/table.ts";
import { documentClient, dynamoTable } from "../../lib/table/dynamo.ts";
import type { Standing } from "./boot.ts";
import { OPERATOR } from "./services.ts";
import { REGION } from "./template.ts";

const run = promisify(execFile);
const COMMAND = join(import.meta.dirname, "../../infra/cli/main.ts");
const SHIFTED_DATE = join(import.meta.dirname, "../examples/fixed-date.ts");

/**
 * An operator's command on a standing stage, in a process of its own, with the operator's own keys. `input` is its standard input. Returns
 * what it printed.
 */
export const admin = async (
  { services, name, now }: Pick<Standing, "services" | "name" | "now">,
  words: readonly string[],
  input = "",
): Promise<string> => {
  const running = run(process.execPath, ["--import", SHIFTED_DATE, COMMAND, ...words, "--stack", name], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      EXAMPLES_TIME_SHIFT: String(now() - Date.now()),
      AWS_ENDPOINT_URL: services,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: OPERATOR,
      AWS_SECRET_ACCESS_KEY: "rehearsal",
    },
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
};

/** The table of a standing stage, for what takes a month to come about. */
export const operatorsTable = ({ services, stage, name }: Pick<Standing, "services" | "stage" | "name">): Table =>
  dynamoTable(
    documentClient({ endpoint: services, region: REGION, credentials: { accessKeyId: OPERATOR, secretAccessKey: "rehearsal" } }),
    stage.outputs.get(name)?.get(STACK_OUTPUTS.table) ?? "",
  );
