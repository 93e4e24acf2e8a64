import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPlatform } from "../../infra/local/platform.ts";
import { SETTINGS } from "../fuzz/api/settings.ts";
import { aRichTenant } from "../fuzz/api/tenants.ts";
import { apiClient } from "../support/api-client.ts";
import type { ATenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { installSchemathesis, PYTHON_MISSING } from "./install.ts";

/**
 * `npm run test:schemathesis`: a public tester of APIs, which knows nothing but the description, sends a platform of its own what the
 * description shows and whatever else it can think of. Fails on an answer that is a fault, or not described. `--examples N` says how
 * many requests are made up for each operation, `--seed N` from which seed, `--only ID` tests one operation, and `--phases
 * examples,coverage,fuzzing` tries the bounds of each schema, too, which takes many times as long. Its script lets heads be longer than a
 * laptop does: made-up texts make addresses that would be refused before any operation sees them, so none describes that.
 */
const { values } = parseArgs({
  options: {
    examples: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    phases: { type: "string", default: "examples,fuzzing" },
    only: { type: "string" },
  },
});

const CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance"];

/** Operations that are not called, each with its reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  deleteOrganization: "everything else is asked of it",
  deletePersonalApiKey: "everything else is asked with it",
  rollPersonalApiKey: "everything else is asked with it",
  deleteProjectSecretApiKey: "accounts are asked with it",
  rollProjectSecretApiKey: "accounts are asked with it",
  getEndpointLastExecutionTimes: "this version reads the pairs in a list that may be null as another draft of JSON Schema would, and stops",
};

const ENDPOINT = "pageviews-by-day";

/** What stands in every path: made-up projects would all be answered alike. Each kind of key opens operations of its own. */
const config = ({ organizationId, projectId, personalKey, secretKey }: ATenant): string => `
[headers]
Authorization = "Bearer ${personalKey}"

[parameters]
"path.project_id" = ${projectId}
"path.organization_id" = "${organizationId}"
"path.name" = "${ENDPOINT}"

[[operations]]
include-path-regex = "^/api/organizations/.id.*"
parameters = { "path.id" = "${organizationId}" }

[[operations]]
include-path-regex = "^/api/customer_analytics/"
headers = { Authorization = "Bearer ${secretKey}" }
`;

const test = async (program: string, folder: string): Promise<number> => {
  Object.assign(process.env, SETTINGS);
  const platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir: join(folder, "data"), empty: true });
  try {
    const tenant = await aRichTenant(platform, "schemathesis");
    const query = sqlQuery("SELECT count() FROM events WHERE event = {variables.event_name}", { event_name: "$pageview" });
    await apiClient(platform.baseUrl, tenant.personalKey).post(`/api/projects/${tenant.projectId}/endpoints/`, { name: ENDPOINT, query });
    await writeFile(join(folder, "schemathesis.toml"), config(tenant));
    const which =
      values.only === undefined
        ? Object.keys(LEFT_OUT).flatMap((id) => ["--exclude-operation-id", id])
        : ["--include-operation-id", values.only];
    const bounds = ["--max-examples", values.examples, "--seed", values.seed, "--phases", values.phases, "--workers", "2"];
    const how = ["--checks", CHECKS.join(","), "--suppress-health-check", "all", "--warnings", "off", "--no-color"];
    const flags = ["run", `${platform.baseUrl}/api/schema/`, ...bounds, ...how, ...which];
    const child = spawn(program, ["--config-file", "schemathesis.toml", ...flags], {
      cwd: folder,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = await once(child, "exit");
    return typeof code === "number" ? code : 1;
  } finally {
    await platform.stop();
  }
};

const program = await installSchemathesis();
if (program === undefined) {
  console.log(PYTHON_MISSING);
  process.exit(1);
}
const folder = await mkdtemp(join(tmpdir(), "schemathesis-"));
process.exitCode = await test(program, folder).finally(() => rm(folder, { recursive: true, force: true }));
