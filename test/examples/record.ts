import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDefinitions } from "../../functions/customer-analytics/definitions.ts";
import type { RecordedExample, RecordedExamples } from "../../functions/docs/examples.ts";
import { groups } from "../../functions/index.ts";
import { type Platform, startPlatform } from "../../infra/local/platform.ts";
import { startServer } from "../../infra/local/server.ts";
import { fixedSecret } from "../../lib/ports/secret.ts";
import { type Touched, watchPartitions } from "../support/touched-partitions.ts";
import { STRIPE } from "./areas/billing.ts";
import { AREAS } from "./areas.ts";
import { BEGINNING } from "./beginning.ts";
import { routeOperations } from "./operations.ts";
import { startProvider } from "./provider.ts";
import { type Caller, recorder } from "./recorder.ts";
import { seed, seedEvents, seedNotices } from "./seed.ts";
import { type Occasion, stable } from "./stable.ts";

/** What was recorded: examples by the name of their area, and the partitions of the table that each operation touched. */
export interface Recorded {
  readonly areas: Readonly<Record<string, RecordedExamples>>;
  readonly touched: Readonly<Record<string, Touched>>;
}

/** Starts a platform and calls every operation. */
export const recordExamples = async (): Promise<Recorded> => {
  const provider = await startProvider();
  const providers = { GITHUB_API: provider.origin, GITLAB_ORIGIN: provider.origin };
  Object.assign(process.env, { THROTTLE_SCALE: "1000", WEBHOOK_HOSTS: "hooks.acme.example", ...providers });
  const dataDir = await mkdtemp(join(tmpdir(), "examples-"));
  const platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir, empty: true });
  const collecting = await startServer(groups, "127.0.0.1", 0);
  const { world, baseUrl } = platform;
  const watched = watchPartitions(world.table);
  const secrets = {
    stripeSecretKey: fixedSecret(STRIPE.stripeSecretKey),
    stripeWebhookSecret: fixedSecret(STRIPE.stripeWebhookSecret),
  };
  collecting.open({ ...world, config: { ...world.config, paymentProvider: "stripe", ...secrets } });
  const store = new URL(await world.objects.address("any"));
  const addresses = {
    [baseUrl]: "https://api.example.org",
    [provider.origin]: "https://gitlab.com",
    [store.origin]: "https://s3.eu-west-1.amazonaws.com",
  };
  try {
    const areas = await recordAreas(platform, collecting.origin, { begin: watched.begin, beganAt: BEGINNING, addresses });
    return { areas, touched: watched.touched() };
  } finally {
    await collecting.stop();
    await platform.stop();
    provider.close();
    await rm(dataDir, { recursive: true, force: true });
  }
};

const recordAreas = async (
  platform: Platform,
  collecting: string,
  { begin, ...occasion }: Occasion & Pick<Caller, "begin">,
): Promise<Record<string, RecordedExamples>> => {
  const operations = routeOperations();
  const tenant = await seed(platform.world);
  const { personalKey, secretKey, organizationId } = tenant;
  const holes = { project_id: tenant.projectId, organization_id: organizationId, id: organizationId };
  const caller = { origin: platform.baseUrl, personalKey, secretKey, holes, begin };
  await seedNotices(platform.world, tenant.organizationId);
  await seedEvents(recorder(operations, caller, new Map()), tenant);
  const { relationships, properties } = await readDefinitions(platform.world.table, tenant.projectId);
  const definitions = { relationship: relationships[0]?.id ?? "", property: properties[0]?.id ?? "" };
  const all: Record<string, RecordedExamples> = {};
  for (const [name, area] of Object.entries(AREAS)) {
    const kept = new Map<string, RecordedExample[]>();
    const payments = recorder(operations, { ...caller, origin: collecting }, kept);
    await area(recorder(operations, caller, kept), { tenant, definitions, payments });
    const examples = stable([...kept.values()], occasion);
    all[name] = Object.fromEntries([...kept.keys()].map((operation, index) => [operation, examples[index] ?? []]));
  }
  return all;
};
