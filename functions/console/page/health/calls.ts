import type { components } from "../../calls/api.d.ts";
import { get, patch, post, remove, withReply } from "../../calls/client.ts";

export type Health = components["schemas"]["ProjectHealth"];
export type Lane = components["schemas"]["HealthLane"];
export type FailingJob = components["schemas"]["HealthJob"];
export type Misfit = components["schemas"]["HealthMisfit"];
export type PropertyDefinition = components["schemas"]["PropertyDefinition"];
export type PersonalKey = components["schemas"]["PersonalApiKey"];
export type NewPersonalKey = components["schemas"]["PersonalApiKeyWrite"];
export type SecretKey = components["schemas"]["ProjectSecretApiKey"];
export type Member = components["schemas"]["OrganizationMember"];
export type Domain = components["schemas"]["OrganizationDomain"];

/** Rows of a page of a list. */
export const PAGE_ROWS = 50;
/** As many domains as an organization may name. */
const MOST_DOMAINS = 100;

const inProject = (project_id: number) => ({ params: { path: { project_id } } });

export const readHealth = (project: number) => get("/api/projects/{project_id}/health", inProject(project));

export const redrive = (project: number, lane: Lane["name"]) =>
  post("/api/projects/{project_id}/health/redrive", { ...inProject(project), body: { lane } });

interface PropertyFilter {
  readonly type: PropertyDefinition["type"];
  readonly search: string;
  readonly offset: number;
}

export const listProperties = (project_id: number, { type, search, offset }: PropertyFilter) =>
  get("/api/projects/{project_id}/property_definitions", {
    params: { path: { project_id }, query: { type, offset, limit: PAGE_ROWS, ...(search !== "" && { search }) } },
  });

const TABLES: Readonly<Record<Misfit["owner"], string>> = { event: "events", person: "persons", group: "groups" };

/** The values of a property that are not of its type, which queries take for NULL, and how often each came. */
export const listMisfits = (project: number, { owner, group_type_index, property }: Misfit) => {
  const name = `'${property.replace(/[\\']/g, "\\$&")}'`;
  const query = [
    `SELECT JSONExtractRaw(properties, ${name}) AS value, count() AS times`,
    `FROM ${TABLES[owner]}`,
    `WHERE JSONHas(properties, ${name}) AND properties.${identifier(property)} IS NULL`,
    ...(group_type_index === null ? [] : [`AND index = ${group_type_index}`]),
    "GROUP BY value ORDER BY times DESC LIMIT 100",
  ].join(" ");
  return post("/api/projects/{project_id}/query", { ...inProject(project), body: { query: { kind: "HogQLQuery", query } } });
};

const identifier = (name: string): string => `\`${name.replace(/[\\`]/g, "\\$&")}\``;

export const PERSONAL_KEYS = "api/personal_api_keys";

export const listPersonalKeys = () => get("/api/personal_api_keys", {});
export const makePersonalKey = (body: NewPersonalKey) => post("/api/personal_api_keys", { body });
export const rollPersonalKey = (id: string) => post("/api/personal_api_keys/{id}/roll", { params: { path: { id } } });
export const revokePersonalKey = (id: string) => withReply(remove("/api/personal_api_keys/{id}", { params: { path: { id } } }));

export const secretKeysOf = (project: number): string => `api/projects/${project}/project_secret_api_keys`;

export const listSecretKeys = (project: number) => get("/api/projects/{project_id}/project_secret_api_keys", inProject(project));
export const makeSecretKey = (project: number, body: { readonly label: string; readonly scopes: string[] }) =>
  post("/api/projects/{project_id}/project_secret_api_keys", { ...inProject(project), body });
export const rollSecretKey = (project_id: number, id: string) =>
  post("/api/projects/{project_id}/project_secret_api_keys/{id}/roll", { params: { path: { project_id, id } } });
export const revokeSecretKey = (project_id: number, id: string) =>
  withReply(remove("/api/projects/{project_id}/project_secret_api_keys/{id}", { params: { path: { project_id, id } } }));

export const listMembers = (organization_id: string, offset: number) =>
  get("/api/organizations/{organization_id}/members", {
    params: { path: { organization_id }, query: { offset, limit: PAGE_ROWS } },
  });

export const domainsOf = (organization: string): string => `api/organizations/${organization}/domains`;

export const listDomains = (organization_id: string) =>
  get("/api/organizations/{organization_id}/domains", { params: { path: { organization_id }, query: { limit: MOST_DOMAINS } } });
export const addDomain = (organization_id: string, domain: string) =>
  post("/api/organizations/{organization_id}/domains", { params: { path: { organization_id } }, body: { domain } });
export const verifyDomain = (organization_id: string, id: string) =>
  post("/api/organizations/{organization_id}/domains/{id}/verify", { params: { path: { organization_id, id } } });
export const changeDomain = (
  organization_id: string,
  id: string,
  body: Partial<Pick<Domain, "jit_provisioning_enabled" | "sso_enforcement">>,
) => patch("/api/organizations/{organization_id}/domains/{id}", { params: { path: { organization_id, id } }, body });
export const removeDomain = (organization_id: string, id: string) =>
  withReply(remove("/api/organizations/{organization_id}/domains/{id}", { params: { path: { organization_id, id } } }));
