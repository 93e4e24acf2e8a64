import { keptSecret, type Secret } from "../../lib/ports/secret.ts";
import { keptLog } from "./kept-log.ts";

/** Secrets that all have one text, which the test holds with their clock; an error is what their store says then. */
export const heldSecrets = (text: string | Error) => {
  const store = { text, asked: 0 };
  const time = { now: 0 };
  const log = keptLog();
  const ask = async (): Promise<string> => {
    store.asked += 1;
    if (store.text instanceof Error) throw store.text;
    return store.text;
  };
  const secretOf = (setting: string): Secret =>
    keptSecret({ setting, name: `/platform/${setting}`, ask }, { clock: { now: () => time.now }, log });
  return { store, time, log, secretOf };
};
