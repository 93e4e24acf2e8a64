import { systemClock, systemIds } from "../../lib/app/system.ts";
import { type TokenKeyPlace, type TokenKeys, tokenKeysAt } from "../../lib/ports/token-keys.ts";

/** A place of keys in memory, whose text a test may replace. */
export const memoryKeyPlace = (): TokenKeyPlace & { text: string | undefined } => ({
  text: undefined,
  async read() {
    return this.text;
  },
  async create(text) {
    if (this.text !== undefined) return false;
    this.text = text;
    return true;
  },
});

/** Keys that nobody has but the test; the first is made when it is asked for. */
export const memoryTokenKeys = (): TokenKeys => tokenKeysAt(memoryKeyPlace(), systemClock, systemIds(systemClock));
