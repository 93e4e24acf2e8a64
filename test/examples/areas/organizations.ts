import type { Area } from "../area.ts";

export const organizations: Area = async ({ record, call }) => {
  await record("listOrganizations", { query: { limit: 10 } });
  await record("retrieveOrganization");
  await record("updateOrganization");
  await record("replaceOrganization");
  await record("requestAiAccess");
  await record("listOauthApplications");
  await record("listOrganizationRoles");
  const path = { id: String((await record("createDomain")).id) };
  await record("listDomains");
  await record("retrieveDomain", { path });
  await record("verifyDomain", { path });
  await record("deleteDomain", { path });
  const domains = await call("listDomains");
  const verified = Array.isArray(domains.results) ? domains.results[0] : undefined;
  await record("updateDomain", { path: { id: verified.id } });
  await record("removeBlockedMembersAndEnforceVerifiedDomains");
  const spare = await record("createOrganization", { body: { name: "Acme Labs" } });
  await record("deleteOrganization", { path: { id: String(spare.id) } });
  await record("listOrganizationMembers", { query: { limit: 10 } });
};
