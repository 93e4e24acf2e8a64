import { DAY_MS } from "../../core/time.ts";

/** Where nobody sends, because a stage has no setting for it, alerts are not kept for ever. */
export const NOTICE_KEPT_MS = 7 * DAY_MS;

/** So long it is shown what became of a rule. Nothing else takes away what is written while the rule is deleted. */
export const STATE_KEPT_MS = 400 * DAY_MS;
