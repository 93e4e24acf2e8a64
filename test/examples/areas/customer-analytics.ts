import type { Area } from "../area.ts";

const query = { external_id: "acme-1" };

export const customerAnalytics: Area = async ({ record }, { definitions }) => {
  // Made the first time, found the second: each is a success of its own.
  await record("createExternalAccount");
  await record("createExternalAccount");
  await record("updateExternalAccount", { subject: definitions.relationship });
  await record("updateExternalAccountCustomPropertyValues", { subject: definitions.property });
  await record("retrieveExternalAccount", { query });
  await record("listExternalAccounts", { query: { limit: 10 } });
};
