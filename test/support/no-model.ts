import type { Model } from "../../lib/ports/model.ts";

/** A platform without a language model. */
export const noModel: Model = { isConfigured: false, answer: () => Promise.reject(new Error("no model is asked here")) };
