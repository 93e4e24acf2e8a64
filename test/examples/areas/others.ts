import { eventually } from "../../support/processes/platform.ts";
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

/** Once what happened before is stored and gathered, the numbers of the moment are as calm as they are shown. */
export const health: Area = async ({ call, record }) => {
  await eventually(
    async () => {
      const { storage } = await call("getProjectHealth");
      const { segments_waiting, deltas_waiting } = Object(storage);
      if (segments_waiting + deltas_waiting > 0) throw new Error("events wait to be compacted");
    },
    { everyMs: 250 },
  );
  await record("getProjectHealth");
  await record("redriveDeadLetters");
};

export const queries: Area = async ({ record }) => {
  await record("runQuery");
  await record("getQuerySchema");
  await record("listEventDefinitions", { query: { limit: 3 } });
  await record("listLiveEvents", { query: { limit: 2 } });
  await record("listPropertyValues", { query: { key: "$browser" } });
  await record("listPropertyDefinitions", { query: { search: "browser" } });
  const { results } = await record("listPersons", { query: { limit: 1 } });
  const path = { uuid: String(Object(results)[0].uuid) };
  await record("retrievePerson", { path });
  await record("listPersonEvents", { path, query: { limit: 1 } });
};
