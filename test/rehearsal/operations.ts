import { readDefinitions } from "../../functions/customer-analytics/definitions.ts";
import { systemIds } from "../../lib/app/system.ts";
import { AREAS } from "../examples/areas.ts";
import { routeOperations } from "../examples/operations.ts";
import { type Recorder, recorder } from "../examples/recorder.ts";
import { DOCUMENT, seedEvents, seedInvoice, seedNotices } from "../examples/seed.ts";
import { type ATenant, tenantOf } from "../support/processes/platform.ts";
import type { Standing } from "./boot.ts";
import { admin, operatorsTable } from "./operator.ts";

/** Addresses of the store, which name the bucket in the host. */
const STORE = /https:\/\/([\w.-]+)\.s3\.[\w-]+\.amazonaws\.com/g;

/** Of a stage whose invoices nobody collects, nobody asks that. */
const NO_PAYMENTS: Recorder = { call: async () => ({}), record: async () => ({}) };

/** A stage that was given no sender refuses rules that send letters: the others are made and not tried. */
const withoutLetters = ({ call, record }: Recorder): Recorder => ({
  call: (id, asked) => call(id, id === "createErrorTrackingAlertRule" ? {} : asked),
  record: async (id, asked) => (id === "testErrorTrackingAlertRule" ? {} : record(id, asked)),
});

/** An organization that lives on a standing stage, and a caller of all its operations. */
export interface Shop {
  readonly tenant: ATenant;
  /** Calls an operation by its id. Throws for whatever is no success. */
  readonly call: Recorder["call"];
}

/**
 * Calls every operation of the API with success, as its recorded examples do. The stage's clock has to begin where those begin. Returns how
 * many operations there were.
 */
export const callOperations = async (standing: Standing): Promise<Shop & { readonly called: ReadonlySet<string> }> => {
  const tenant = tenantOf(JSON.parse(await admin(standing, ["apply", "-"], JSON.stringify(DOCUMENT))));
  const { personalKey, secretKey, organizationId, projectId } = tenant;
  const table = operatorsTable(standing);
  await seedInvoice({ table }, organizationId);
  await seedNotices({ table, ids: systemIds(standing) }, organizationId);
  const origin = standing.url("management");
  const called = new Set<string>();
  const holes = { project_id: projectId, organization_id: organizationId, id: organizationId };
  const caller = {
    ...{ origin, ingestOrigin: standing.url("ingest"), personalKey, secretKey, holes },
    readable: (answer: string) => answer.replaceAll(STORE, `${standing.services}/$1`),
    begin: (operation: string): void => void called.add(operation),
  };
  const calls = withoutLetters(recorder(routeOperations(), caller, new Map()));
  await seedEvents(calls, tenant);
  const { relationships, properties } = await readDefinitions(table, projectId);
  const definitions = { relationship: relationships[0]?.id ?? "", property: properties[0]?.id ?? "" };
  for (const area of Object.values(AREAS)) await area(calls, { tenant, definitions, payments: NO_PAYMENTS });
  return { tenant, call: calls.call, called };
};
