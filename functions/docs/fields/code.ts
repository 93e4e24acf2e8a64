import type { FieldBook } from "../../../lib/http/openapi.ts";

/** Fields of what the desktop application asks. */
export const CODE_FIELDS: FieldBook["schemas"] = {
  LegacyDesktopAccessResponse: {
    has_access: "Whether the caller may use the desktop application.",
    has_loops_access: "Always false: its repeated runs are not offered here.",
  },
  TaskRunErrorResponse: {
    error: "What cannot be decided, in a sentence.",
    detail: "Why, and what to do about it.",
    type: "The kind of error, always that of a fault of the service.",
    code: "The exact error, for programs; there is only this one.",
  },
  SandboxComputePricing: {
    current: "The rate card that holds now; null when none does.",
    history: "Rate cards that have expired, the newest first; those to come are not shown.",
  },
  SandboxRateCard: {
    version: "Name of the rate card, such as `v2`.",
    effective_at: "When its prices began to hold, ISO 8601 in UTC.",
    expires_at: "When they end, ISO 8601 in UTC; null when no end is set.",
    cpu_core_second_usd: "Price of one processor core for one second in US dollars, as an exact decimal.",
    memory_gib_second_usd: "Price of one gibibyte of memory for one second in US dollars, as an exact decimal.",
  },
};
