import { canonicalJson } from "../core/canonical-json.ts";
import { faultFields } from "../http/request-log.ts";
import type { Ports } from "../ports/ports.ts";
import { ConditionFailed, type Table, type Write } from "../ports/table.ts";
import { Projects } from "../projects/projects.ts";
import { get, pages, put, update } from "../table/store.ts";
import { transactInSequence } from "../table/transact.ts";
import type { QuotaResource } from "../usage/identifiers.ts";
import {
  computedMarkersWrite,
  isQuotaResource,
  QUOTA_RESOURCES,
  type QuotaMarkers,
  quotaItemKey,
  readComputedMarkers,
} from "../usage/project-quotas.ts";
import { type LimitUse, noteAlerts } from "./alerts.ts";
import { type Command, type CommandOutcome, runCommand } from "./commands.ts";
import { type UsageFacts, usageFacts } from "./quotas/quota-facts.ts";
import { nextState, type OrganizationQuota, OrganizationQuotas, type QuotaState } from "./quotas/quota-rules.ts";
import type { Period } from "./rating/period.ts";

type Parts = Pick<Ports, "table" | "objects" | "clock" | "config">;

type States = OrganizationQuota["states"];

/** Rounds of one evaluation, and of marking: the second finds what the first one wrote, unless others changed it meanwhile, who come here too. */
const ROUNDS = 5;

/**
 * Decides anew what of an organization's data is dropped, from its use of the period and its limits, marks its projects where that changes,
 * and has it told of the limits that it comes near or to. Nothing happens by the clock alone: a limit ends with its marker, and a grace
 * that is over matters when more comes in.
 */
export const evaluateQuotas = async (parts: Parts, organization: string): Promise<void> => {
  const now = parts.clock.now();
  for (let round = 1; ; round += 1) {
    const { states: before, marking } = await readQuota(parts.table, organization);
    const facts = await usageFacts(parts, organization);
    const next = statesAt(facts, before, now);
    const hasChanged = canonicalJson(next) !== canonicalJson(before);
    if (hasChanged) {
      await put(parts.table, OrganizationQuotas, {
        organization_id: organization,
        states: next,
        marking: canonicalJson(quotaMarkers(next)),
      });
      // A limit may have been raised since it was read, by somebody who found nothing to lift yet.
      if (round < ROUNDS) continue;
    }
    // A project that was made since may have no marker yet, and whoever decided may not have come to all of them.
    if (hasChanged || marking !== undefined || Object.values(next).some(isLimited)) await markProjects(parts, organization);
    // An addon may share its product's resource, which is dropped for the product's limit alone.
    const uses = facts.limits.map((use): LimitUse => {
      const isOver = use.usage >= use.limit;
      return { ...use, dropsFrom: isOver ? dropsFrom(next[use.usage_key], use.period, now) : null };
    });
    return noteAlerts(parts, organization, uses);
  }
};

const readQuota = async (table: Table, organization_id: string): Promise<Omit<OrganizationQuota, "organization_id">> =>
  (await get(table, OrganizationQuotas, { organization_id }, { consistent: true })) ?? { states: {} };

/** The parts needed to compare usage with limits, and to log that it failed. */
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

const statesAt = ({ quotas }: UsageFacts, before: States, now: number): States => {
  const next: States = Object.fromEntries(Object.entries(before).filter(([resource]) => !isQuotaResource(resource)));
  for (const quota of quotas) {
    const state = nextState(quota, before[quota.resource], now);
    if (isLimited(state) || state.suspended_until !== null) next[quota.resource] = state;
  }
  return next;
};

/** When a resource's data begins to be dropped in the period, as it stands; null where nothing is, or where the grace outlasts the period. */
const dropsFrom = (state: QuotaState | undefined, { end }: Period, now: number): number | null => {
  if (isLimited(state)) return now;
  const until = state?.suspended_until ?? null;
  return until !== null && until < end ? until : null;
};

const isLimited = (state: QuotaState | undefined): boolean => (state?.limited_until ?? null) !== null;

const quotaMarkers = (states: States): QuotaMarkers => {
  const markers: Partial<Record<QuotaResource, number>> = {};
  for (const resource of QUOTA_RESOURCES) {
    const until = states[resource]?.limited_until ?? null;
    if (until !== null) markers[resource] = until;
  }
  return markers;
};

/** The writes that mark a new project of an organization as its others are marked. */
export const newProjectMarkers = async (table: Table, organization_id: string, project: number): Promise<readonly Write[]> => {
  const markers = quotaMarkers((await readQuota(table, organization_id)).states);
  return Object.keys(markers).length === 0 ? [] : [computedMarkersWrite(project, markers)];
};

/**
 * Marks an organization's projects as its states are stored, until these stay as they are: of those who mark at once, whoever is last has seen
 * what the others decided. Then it is noted that all are marked.
 */
const markProjects = async ({ table }: Parts, organization: string): Promise<void> => {
  let marked: string | undefined;
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { states, marking } = await readQuota(table, organization);
    const markers = quotaMarkers(states);
    const wanted = canonicalJson(markers);
    if (wanted === marked) return marking === undefined ? undefined : await noteMarked(table, organization, marking);
    await markAll(table, organization, markers);
    marked = wanted;
  }
};

/** Others may have decided meanwhile what is still to be marked: then they note it. */
const noteMarked = async (table: Table, organization_id: string, marking: string): Promise<void> => {
  const asRead = { kind: "equals", attribute: "marking", value: marking } as const;
  try {
    await update(table, OrganizationQuotas, { organization_id }, { set: {}, remove: ["marking"] }, asRead);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

const markAll = async (table: Table, organization: string, markers: QuotaMarkers): Promise<void> => {
  const wanted = canonicalJson(markers);
  for await (const listed of pages(table, Projects, "ofOrganization", { organization_id: organization })) {
    const projects = listed.filter(({ state }) => state === "active");
    const items = await table.getMany(
      projects.map(({ id }) => quotaItemKey(id)),
      { consistent: true },
    );
    const known = new Map(items.map((item) => [item.pk, canonicalJson(readComputedMarkers(item))]));
    const unmarked = projects.filter(({ id }) => (known.get(quotaItemKey(id).pk) ?? "{}") !== wanted);
    await transactInSequence(
      table,
      unmarked.map(({ id }) => computedMarkersWrite(id, markers)),
    );
  }
};
