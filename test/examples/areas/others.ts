import type { Area } from "../area.ts";

export const code: Area = async ({ record }) => {
  await record("checkCodeAccess");
  await record("getCodeSandboxPricing");
};

export const quotaLimits: Area = async ({ record }) => {
  await record("getQuotaLimits");
};

export const llmAnalytics: Area = async ({ record }) => {
  await record("getMyLlmSpend", { query: { product: "service_code", date_from: "2026-11-16", date_to: "2026-11-20" } });
};

export const queries: Area = async ({ record }) => {
  await record("runQuery");
  await record("listEventDefinitions", { query: { limit: 3 } });
  await record("listLiveEvents", { query: { limit: 2 } });
  await record("listPropertyValues", { query: { key: "$browser" } });
  await record("listPropertyDefinitions", { query: { search: "browser" } });
};
