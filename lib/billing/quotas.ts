import { canonicalJson } from "../core/canonical-json.ts";
import { faultFields } from "../http/request-log.ts";
import type { Ports } from "../ports/ports.ts";
import { Projects } from "../projects/projects.ts";
import { get, pages, put } from "../table/store.ts";
import type { QuotaResource } from "../usage/identifiers.ts";
import {
  computedMarkersWrite,
  isQuotaResource,
  QUOTA_RESOURCES,
  type QuotaMarkers,
  quotaItemKey,
  readComputedMarkers,
} from "../usage/project-quotas.ts";
import { type Command, type CommandOutcome, runCommand } from "./commands.ts";
import { quotaFacts } from "./quotas/quota-facts.ts";
import { nextState, type OrganizationQuota, OrganizationQuotas, type QuotaState } from "./quotas/quota-rules.ts";

type Parts = Pick<Ports, "table" | "objects" | "clock" | "config">;

type States = OrganizationQuota["states"];

/**
 * Decides anew what of an organization's data is dropped, from its use of the period and its limits, and marks its projects where
 * that changes. Nothing happens by the clock alone: a limit ends with its marker, and a grace that is over matters when more comes in.
 */
export const evaluateQuotas = async (parts: Parts, organization: string): Promise<void> => {
  const now = parts.clock.now();
  const stored = await get(parts.table, OrganizationQuotas, { organization_id: organization }, { consistent: true });
  const before = stored?.states ?? {};
  const next = await statesAt(parts, organization, before, now);
  const hasChanged = canonicalJson(next) !== canonicalJson(before);
  if (hasChanged) await put(parts.table, OrganizationQuotas, { organization_id: organization, states: next });
  // A project that was made since has no marker yet.
  if (hasChanged || Object.values(next).some(isLimited)) await markProjects(parts, organization, markersOf(next));
};

/** What it takes to compare usage with limits, and to say that it failed. */
export type TermsParts = Parts & Pick<Ports, "log">;

/**
 * Carries out a command that changes what may be used, and at once takes or drops data as it says: what is dropped brings nobody to look
 * again.
 */
export const runTermsCommand = async <T>(
  parts: TermsParts,
  command: Command,
  buildWrites: () => Promise<CommandOutcome<T>>,
): Promise<T> => {
  const answer = await runCommand(parts, command, buildWrites);
  await applyTerms(parts, command.organization);
  return answer;
};

/** Takes or drops an organization's data as its terms say now. A failure is only logged: usage is compared with limits again and again. */
export const applyTerms = async (parts: TermsParts, organization: string): Promise<void> =>
  evaluateQuotas(parts, organization).catch((fault: unknown) => parts.log.line("warn", "quotas_not_evaluated", faultFields(fault)));

const statesAt = async (parts: Parts, organization: string, before: States, now: number): Promise<States> => {
  const next: States = Object.fromEntries(Object.entries(before).filter(([resource]) => !isQuotaResource(resource)));
  for (const facts of await quotaFacts(parts, organization)) {
    const state = nextState(facts, before[facts.resource], now);
    if (isLimited(state) || state.suspended_until !== null) next[facts.resource] = state;
  }
  return next;
};

const isLimited = (state: QuotaState | undefined): boolean => (state?.limited_until ?? null) !== null;

const markersOf = (states: States): QuotaMarkers => {
  const markers: Partial<Record<QuotaResource, number>> = {};
  for (const resource of QUOTA_RESOURCES) {
    const until = states[resource]?.limited_until ?? null;
    if (until !== null) markers[resource] = until;
  }
  return markers;
};

const markProjects = async ({ table }: Parts, organization: string, markers: QuotaMarkers): Promise<void> => {
  for await (const projects of pages(table, Projects, "ofOrganization", { organization_id: organization })) {
    const items = await table.getMany(
      projects.map(({ id }) => quotaItemKey(id)),
      { consistent: true },
    );
    const known = new Map(items.map((item) => [item.pk, canonicalJson(readComputedMarkers(item))]));
    for (const { id } of projects) {
      if ((known.get(quotaItemKey(id).pk) ?? "{}") !== canonicalJson(markers)) await table.transact([computedMarkersWrite(id, markers)]);
    }
  }
};
