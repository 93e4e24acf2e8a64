import { Projects } from "../../lib/entities/projects/projects.ts";
import type { DayCounts } from "../../lib/event/usage/usage-types.ts";
import type { FileFacts } from "../../lib/lake/catalogue/catalogue.ts";
import type { ReadParts } from "../../lib/lake/catalogue/parts.ts";
import { usageOf as storedUsage } from "../../lib/lake/usage/usage.ts";
import type { Write } from "../../lib/ports/table.ts";
import { putting } from "../../lib/table/store.ts";
import type { Copy } from "../model/copies.ts";
import { usageOf } from "../model/usage.ts";
import { Violation } from "./ledger.ts";

export const ORGANIZATION = "00000000-0000-4000-8000-000000000001";

/** The item of a project of the one organization, for the transaction that makes it. */
export const projectWrite = (id: number): Write =>
  putting(Projects, {
    id,
    uuid: ORGANIZATION,
    organization_id: ORGANIZATION,
    name: `simulated ${id}`,
    api_token: `phc_${id}`,
    secret_token_mask: "phs_…",
    timezone: "UTC",
    account_group_type: null,
    state: "active",
    is_demo: false,
    autocapture_exceptions: true,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  });

/** At the end the roll-ups say what the rows are. */
export const checkUsage = async (parts: ReadParts, project: number, stayed: readonly Copy[]): Promise<void> => {
  const always = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const rolled = await storedUsage(parts, { organization: ORGANIZATION, project }, ...always);
  const [said, counted] = [text(rolled), textOf(stayed)];
  if (said !== counted) throw new Violation(`the usage of project ${project} is ${said}, its rows are ${counted}`);
};

/** A file counts what its rows are. */
export const checkUsageOfFile = (file: FileFacts, copies: readonly Copy[]): void => {
  const [said, counted] = [text(file.usage), textOf(copies)];
  if (said !== counted) throw new Violation(`${file.key} counts ${said}, its rows are ${counted}`);
};

const text = (counts: DayCounts): string =>
  Object.entries(counts)
    .flatMap(([day, types]) => Object.entries(types).map(([type, count]) => `${day} ${type} ${count}`))
    .sort()
    .join(", ");

const textOf = (copies: readonly Copy[]): string =>
  [...usageOf(copies)]
    .map(([name, count]) => `${name} ${count}`)
    .sort()
    .join(", ");
