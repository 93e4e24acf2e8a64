/** Names of the columns that the queries of a retention hand on to each other. */
export const ACTOR = "actor_id";
export const VALUE = "breakdown_value";
export const PERIOD = "period_number";
export const STARTS = "starts";
export const RETURNS = "returns";
/** Times of an actor's first event of the start's name, and of its first start. */
export const FIRST = "first_of_event";
export const FIRST_START = "first_start";
export const AMOUNT = "amount";
export const AMOUNT_AFTER = "amount_after_start";
export const COHORT = "cohort";
export const COLUMN = "column_number";
export const AFTER = "periods_after";
export const ACTORS = "actors";
export const TOTAL = "total";
