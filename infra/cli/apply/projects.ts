import { newProjectMarkers } from "../../../lib/billing/quotas.ts";
import { canonicalJson } from "../../../lib/core/canonical-json.ts";
import {
  type AccountRelationshipDefinition,
  AccountRelationshipDefinitions,
  type CustomPropertyDefinition,
  CustomPropertyDefinitions,
  customPropertiesOfProject,
  relationshipsOfProject,
} from "../../../lib/customers/account-definitions.ts";
import { settingAutocaptureExceptions } from "../../../lib/keys/project-tokens.ts";
import { ConditionFailed, type Key, type Write } from "../../../lib/ports/table.ts";
import { isSealedAnew, readSettings, sealSettings, UnreadableToken } from "../../../lib/projects/integration-tokens.ts";
import { type Integration, Integrations, integrationsOfProject } from "../../../lib/projects/integrations.ts";
import { newProject } from "../../../lib/projects/new-project.ts";
import { type Project, Projects } from "../../../lib/projects/projects.ts";
import { addToList, type BoundedList } from "../../../lib/table/bounded-list.ts";
import { nextNumber } from "../../../lib/table/sequence.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, transact } from "../../../lib/table/transact.ts";
import type { QuotaResource } from "../../../lib/usage/identifiers.ts";
import { quotaItemKey, readSetMarkers, setMarkersWrite } from "../../../lib/usage/project-quotas.ts";
import type { IntegrationEntry, ProjectEntry } from "./document.ts";
import { handleKey } from "./handles.ts";
import { once, readHolder } from "./once.ts";
import { isoNow, type Parts } from "./parts.ts";
import { differing } from "./same.ts";

export interface AppliedProjectItem {
  readonly project: Project;
  /** The team secret token, from the call that made the project; else null. */
  readonly secretToken: string | null;
}

/** The project behind an entry's key, made or brought up to date. */
export const ensureProject = async (
  parts: Parts,
  organizationKey: string,
  organization: string,
  entry: ProjectEntry,
): Promise<AppliedProjectItem> => {
  const { table } = parts;
  const marker = handleKey("project", organizationKey, entry.key);
  const holder = await readHolder(table, marker);
  if (holder === undefined) return makeProject(parts, marker, organization, entry);
  const project = await store.require(table, Projects, { id: Number(holder) }, { consistent: true });
  const changes = differing(project, { ...(entry.name !== undefined && { name: entry.name }), ...settings(entry) });
  if (!changes) return { project, secretToken: null };
  const set = { ...changes, updated_at: isoNow(parts) };
  await transact(table, [
    store.updating(Projects, { id: project.id }, { set }),
    ...(changes.autocapture_exceptions === undefined
      ? []
      : [settingAutocaptureExceptions(project.api_token, changes.autocapture_exceptions)]),
  ]);
  return { project: { ...project, ...set }, secretToken: null };
};

/** The attributes that an entry sets on its project, besides the name. */
const settings = ({ timezone, account_group_type, autocapture_exceptions, erased_ids, retention_months }: ProjectEntry) => ({
  ...(timezone !== undefined && { timezone }),
  ...(account_group_type !== undefined && { account_group_type }),
  ...(autocapture_exceptions !== undefined && { autocapture_exceptions }),
  ...(erased_ids !== undefined && { erased_ids }),
  ...(retention_months !== undefined && { retention_months }),
});

const makeProject = async (parts: Parts, marker: Key, organization: string, entry: ProjectEntry): Promise<AppliedProjectItem> => {
  const { table } = parts;
  const id = await nextNumber(table, "project");
  const { project, secretToken, writes } = newProject(parts, {
    id,
    organization_id: organization,
    name: entry.name ?? entry.key,
    ...settings(entry),
  });
  const markers = await newProjectMarkers(table, organization, id);
  const { owner, created } = await once(table, marker, String(id), [...writes, ...markers]);
  if (created) return { project, secretToken };
  return { project: await store.require(table, Projects, { id: Number(owner) }, { consistent: true }), secretToken: null };
};

/** Makes the relationship definitions that are missing. Throws `ListFull`. */
export const ensureRelationships = async (
  parts: Parts,
  project: number,
  names: readonly string[],
): Promise<readonly AccountRelationshipDefinition[]> => {
  const { table, ids } = parts;
  const read = () => store.list(table, AccountRelationshipDefinitions, "key", { project_id: project }, { consistent: true });
  const known = await read();
  for (const name of names) {
    if (known.some((definition) => definition.name === name)) continue;
    const made = store.putting(AccountRelationshipDefinitions, { id: ids.uuid(), project_id: project, name }, ABSENT);
    await addUnlessThere(parts, relationshipsOfProject(project), made);
  }
  return read();
};

/** Adds an item whose key is its name. Where another document has just made it, it stays as that made it. Throws `ListFull`. */
const addUnlessThere = async (parts: Parts, list: BoundedList, write: Write): Promise<void> => {
  try {
    await addToList(parts, list, [write]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

/** Makes the property definitions that are missing; the type of one that exists is never changed. Throws `ListFull`. */
export const ensureCustomProperties = async (
  parts: Parts,
  project: number,
  entries: NonNullable<ProjectEntry["account_custom_properties"]>,
): Promise<readonly CustomPropertyDefinition[]> => {
  const { table, ids } = parts;
  const read = () => store.list(table, CustomPropertyDefinitions, "key", { project_id: project }, { consistent: true });
  const known = await read();
  for (const { name, type } of entries) {
    if (type === undefined || known.some((definition) => definition.name === name)) continue;
    const made = store.putting(CustomPropertyDefinitions, { id: ids.uuid(), project_id: project, name, type }, ABSENT);
    await addUnlessThere(parts, customPropertiesOfProject(project), made);
  }
  return read();
};

/** The position of an integration's marker in the transaction that makes it. */
const MARKER = 0;

/** The integration behind an entry's key, made or brought up to date. Throws `ListFull`. */
export const ensureIntegration = async (
  parts: Parts,
  place: { readonly organization: string; readonly project: string; readonly id: number },
  entry: IntegrationEntry,
): Promise<Integration> => {
  const { table, tokenKeys } = parts;
  const marker = handleKey("integration", place.organization, place.project, entry.key);
  const holder = await readHolder(table, marker);
  if (holder === undefined && entry.kind !== undefined) {
    const id = await nextNumber(table, "integration");
    const key = { project_id: place.id, id };
    const sealed = await sealSettings(tokenKeys, key, entry.config ?? {});
    const integration = { ...key, kind: entry.kind, ...sealed, created_at: isoNow(parts) };
    const made = store.putting(Integrations, integration, ABSENT);
    try {
      await addToList(parts, integrationsOfProject(place.id), [claiming(marker, String(id)), made]);
      return integration;
    } catch (error) {
      // Another document has made the one of this key.
      if (!failedAt(error, MARKER)) throw error;
    }
  }
  const key = { project_id: place.id, id: Number(await readHolder(table, marker)) };
  const integration = await store.require(table, Integrations, key, { consistent: true });
  const known = await settingsIfReadable(parts, integration);
  const wanted = entry.config ?? known;
  const isStored = wanted === known || (known !== undefined && canonicalJson(wanted) === canonicalJson(known));
  const isToSeal = wanted !== undefined && !(isStored && (await isSealedAnew(tokenKeys, integration)));
  const changes = {
    ...differing(integration, { ...(entry.kind && { kind: entry.kind }) }),
    ...(isToSeal && (await sealSettings(tokenKeys, key, wanted))),
  };
  return Object.keys(changes).length === 0 ? integration : store.update(table, Integrations, key, { set: changes });
};

/** A token that cannot be read is replaced by the next one that a document gives. */
const settingsIfReadable = async ({ tokenKeys }: Parts, integration: Integration): Promise<Integration["config"] | undefined> => {
  try {
    return await readSettings(tokenKeys, integration);
  } catch (error) {
    if (error instanceof UnreadableToken) return undefined;
    throw error;
  }
};

/** Sets and lifts the quota markers as stated. */
export const ensureQuota = async ({ table }: Parts, project: number, quota: Quota): Promise<void> => {
  const stored = readSetMarkers(await table.get(quotaItemKey(project), { consistent: true }));
  const wanted: Partial<Record<QuotaResource, number | null>> = {};
  for (const [resource, marker] of quotaEntries(quota)) {
    const until = marker?.limited_until ? Date.parse(marker.limited_until) : null;
    if (until !== (stored[resource] ?? null)) wanted[resource] = until;
  }
  if (Object.keys(wanted).length > 0) await transact(table, [setMarkersWrite(project, wanted)]);
};

type Quota = NonNullable<ProjectEntry["quota"]>;

/** A quota's own entries: the schema lets in no name that is not a resource. */
const quotaEntries = (quota: Quota) =>
  Object.entries(quota).filter(([, marker]) => marker !== undefined) as readonly (readonly [
    QuotaResource,
    NonNullable<Quota[QuotaResource]> | null,
  ])[];
