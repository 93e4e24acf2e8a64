import { AccountRelationshipDefinitions, CustomPropertyDefinitions } from "../../../lib/customers/account-definitions.ts";
import { Dashboards } from "../../../lib/dashboards/dashboards.ts";
import { storedQuery } from "../../../lib/endpoints/definition.ts";
import { findVersion } from "../../../lib/endpoints/load.ts";
import { SavedEndpoints } from "../../../lib/endpoints/saved-endpoints.ts";
import type { Assignee } from "../../../lib/error-tracking/issues.ts";
import { inRuleOrder } from "../../../lib/error-tracking/rule-order.ts";
import { AssignmentRules, GroupingRules, SeverityRules } from "../../../lib/error-tracking/rules.ts";
import { ProjectSecretKeys } from "../../../lib/keys/project-secret-keys.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { Integrations } from "../../../lib/projects/integrations.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { list } from "../../../lib/table/store.ts";
import { dashboardContent } from "../apply/dashboards.ts";
import type { AssigneeEntry, EndpointEntry, ProjectEntry, RuleEntries } from "../apply/document.ts";
import { endpointSettings } from "../apply/endpoints.ts";
import type { Handles } from "./known-handles.ts";

/** A project, what documents call it, and how its people and roles are named in them. */
interface KnownProject {
  readonly project: Project;
  readonly key: string;
  readonly emails: ReadonlyMap<number, string>;
  readonly roles: ReadonlyMap<string, string>;
}

const FRESH = { consistent: true } as const;

/** The entry of a project, with its saved queries, dashboards and rules. */
export const describeProject = async (table: Table, handles: Handles, known: KnownProject): Promise<ProjectEntry> => {
  const { project, key } = known;
  const place = { project_id: project.id };
  const secrets = await list(table, ProjectSecretKeys, "ofProject", place);
  const relationships = await list(table, AccountRelationshipDefinitions, "key", place, FRESH);
  const properties = await list(table, CustomPropertyDefinitions, "key", place, FRESH);
  const integrations = await list(table, Integrations, "key", place, FRESH);
  return {
    key,
    name: project.name,
    timezone: project.timezone,
    account_group_type: project.account_group_type,
    autocapture_exceptions: project.autocapture_exceptions,
    erased_ids: project.erased_ids,
    retention_months: project.retention_months,
    secret_api_keys: secrets
      .filter(({ hash }) => handles.last("secret-key", hash) !== undefined)
      .map(({ label, scopes }) => ({ label, scopes })),
    account_relationships: relationships.map(({ name }) => name),
    account_custom_properties: properties.map(({ name, type }) => ({ name, type })),
    integrations: integrations.map(({ id, kind, config: { access_token: _, ...config } }) => ({
      key: handles.last("integration", String(id)) ?? `${kind}-${id}`,
      kind,
      config,
    })),
    endpoints: await describeEndpoints(table, project.id),
    dashboards: (await list(table, Dashboards, "key", { project: project.id }, FRESH)).map((dashboard) => ({
      key: handles.last("dashboard", dashboard.id) ?? dashboard.id,
      ...dashboardContent(dashboard),
    })),
    error_tracking_rules: await describeRules(table, known),
  };
};

const describeEndpoints = async (table: Table, project: number): Promise<EndpointEntry[]> => {
  const entries: EndpointEntry[] = [];
  for (const endpoint of await list(table, SavedEndpoints, "key", { project }, FRESH)) {
    const version = await findVersion(table, endpoint, endpoint.current_version);
    if (version !== undefined)
      entries.push({ name: endpoint.name, query: storedQuery(version), ...endpointSettings({ endpoint, version }) });
  }
  return entries;
};

/** In the order in which they are asked; whom a rule names that is there no more is left out. */
const describeRules = async (table: Table, { project: { id: project }, emails, roles }: KnownProject): Promise<RuleEntries> => {
  const named = (assignee: Assignee): AssigneeEntry | undefined => {
    if (assignee.type === "role") return wrapped(roles.get(assignee.id), (role) => ({ role }));
    return wrapped(emails.get(assignee.id), (member) => ({ member }));
  };
  const grouping = inRuleOrder(await list(table, GroupingRules, "key", { project }, FRESH));
  const severity = inRuleOrder(await list(table, SeverityRules, "key", { project }, FRESH));
  const assignment = inRuleOrder(await list(table, AssignmentRules, "key", { project }, FRESH));
  return {
    grouping: grouping.map(({ filters, assignee, description, enabled }) => ({
      filters: JSON.parse(filters),
      assignee: assignee === null ? null : (named(assignee) ?? null),
      description,
      enabled: enabled !== false,
    })),
    severity: severity.map(({ filters, severity: level, order_key, enabled }) => ({
      filters: JSON.parse(filters),
      severity: level,
      order_key,
      enabled: enabled !== false,
    })),
    assignment: assignment.flatMap(({ filters, assignee, order_key, enabled }) => {
      const whom = named(assignee);
      return whom === undefined ? [] : [{ filters: JSON.parse(filters), assignee: whom, order_key, enabled: enabled !== false }];
    }),
  };
};

const wrapped = <T, R>(value: T | undefined, wrap: (value: T) => R): R | undefined => (value === undefined ? undefined : wrap(value));
