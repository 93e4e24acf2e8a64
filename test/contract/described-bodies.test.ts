import { expect, it } from "vitest";
import * as z from "zod";
import type { DescribedOperation } from "../fuzz/api/description.ts";
import { aDescribedPlatform } from "../support/processes/described-platform.ts";

const platform = aDescribedPlatform();

const operations = (): readonly DescribedOperation[] => platform().description.operations.filter(({ body }) => body !== undefined);

/** Names that are taken after the first call, and those of a call of their own. */
const UNIQUE: Readonly<Record<string, string>> = { createEndpoint: "name", createErrorTrackingRelease: "hash_id" };
let made = 0;

const withOwnName = ({ id }: DescribedOperation, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const name = UNIQUE[id];
  made += 1;
  return name === undefined || typeof body[name] !== "string" ? body : { ...body, [name]: `${body[name]}-${made}` };
};

/** Of a body that fits, what else it is refused for: what was there before or is not yet, or what one field asks of another. */
const OTHER_REASONS: Readonly<Record<string, string>> = {
  applyForStartupPlan: "already_applied",
  changeErrorTrackingIssues: "required",
  createDashboard: "does_not_exist",
};

it("a body that leaves out a field, or makes it null, is taken exactly where the description admits it", async () => {
  const { description, send, exampleOf } = platform();
  const differences: string[] = [];
  for (const operation of operations()) {
    const schema = operation.body?.schema ?? {};
    const fits = z.fromJSONSchema({ ...schema, $defs: description.schemas });
    const { properties = {} } =
      typeof schema.$ref === "string" ? Object(description.schemas[schema.$ref.slice("#/$defs/".length)]) : schema;
    const example = Object(exampleOf(operation));
    for (const field of new Set([...Object.keys(example), ...Object.keys(properties)])) {
      const { [field]: _, ...without } = example;
      for (const body of [...(field in example ? [without] : []), { ...example, [field]: null }]) {
        const isAdmitted = fits.safeParse(body).success;
        const answer = await send(operation, withOwnName(operation, body));
        const isTaken = answer.status !== 400 || (isAdmitted && Object(answer.body).code === OTHER_REASONS[operation.id]);
        if (isAdmitted !== isTaken) differences.push(`${operation.id}, ${JSON.stringify(body)}: ${JSON.stringify(answer)}`);
      }
    }
  }
  expect(differences).toEqual([]);
});

/** Examples of what this platform cannot do: calls of others that nobody signed or answers, and what there is none of here. */
const REFUSED: Readonly<Record<string, number>> = {
  bulkFinishUploadErrorTrackingSymbolSets: 400,
  finishUploadErrorTrackingSymbolSet: 400,
  receiveStripeEvent: 400,
  createErrorTrackingExternalReference: 400,
  assignCohortToErrorTrackingIssue: 404,
};

it("every body of the description has an example, and the platform does what that asks for", async () => {
  const { send, exampleOf } = platform();
  expect(operations().flatMap(({ id, body }) => (body?.example === undefined ? [id] : []))).toEqual([]);
  const others: string[] = [];
  // An organization has to approve of what another operation does.
  const approval = operations().filter(({ id }) => id === "replaceOrganization");
  for (const operation of [...approval, ...operations()]) {
    const { status, body } = await send(operation, exampleOf(operation));
    const isApplied = operation.id === "applyForStartupPlan" && Object(body).code === "already_applied";
    if (status !== REFUSED[operation.id] && status >= 300 && !isApplied) others.push(`${operation.id}: ${status} ${JSON.stringify(body)}`);
  }
  expect(others).toEqual([]);
});
