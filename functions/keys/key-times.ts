import { isoBrief } from "../../lib/core/time.ts";

interface KeyTimes {
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly last_rolled_at: string | null;
}

/** The moments of a key, written as the API writes all others. */
export const keyTimes = ({ created_at, last_used_at, last_rolled_at }: KeyTimes): KeyTimes => ({
  created_at: isoBrief(created_at),
  last_used_at: last_used_at && isoBrief(last_used_at),
  last_rolled_at: last_rolled_at && isoBrief(last_rolled_at),
});
