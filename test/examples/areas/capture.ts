import type { Area } from "../area.ts";

export const capture: Area = async ({ record }, { tenant }) => {
  for (const operation of ["captureBatch", "captureEvents"]) {
    const event = { event: "signed up", distinct_id: "user-1", properties: { plan: "free" }, timestamp: "2026-01-01T12:00:00Z" };
    await record(operation, { body: { api_key: tenant.projectToken, historical_migration: true, batch: [event] } });
  }
};
