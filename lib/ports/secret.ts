import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { Unavailable } from "../core/unavailable.ts";
import type { Clock, Log } from "./system.ts";

/** A secret of the deployment, which may become another one while the process lives. */
export interface Secret {
  /** Its text; empty where none is given. Throws `Unavailable` where it was never read and cannot be now. */
  read(): Promise<string>;
  /** Says that it was refused where it is used: it is asked for again before the next use. */
  renew(): void;
}

/** A secret that was given as text, and stays the same. */
export const fixedSecret = (text: string): Secret => ({ read: async () => text, renew: () => undefined });

/** How long a text is used, so that another one is noticed, milliseconds. */
const KEPT_MS = 5 * MINUTE_MS;

/** How often a secret is asked for at most: by refusals, or while it cannot be read. */
const AGAIN_MS = 10 * SECOND_MS;

/** Where a secret lies. */
export interface SecretPlace {
  /** The setting that it is, and the name that it lies under: both for the log. */
  readonly setting: string;
  readonly name: string;
  /** Its text as it is now. What it throws must not hold any of it. */
  readonly ask: () => Promise<string>;
}

/** A secret that is asked for at its first use, and kept for some minutes. One that cannot be asked for stays what it was. */
export const keptSecret = ({ setting, name, ask }: SecretPlace, { clock, log }: { readonly clock: Clock; readonly log: Log }): Secret => {
  let text: string | undefined;
  let keptUntil = Number.NEGATIVE_INFINITY;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const refresh = async (): Promise<void> => {
    askedAt = clock.now();
    try {
      text = await ask();
      keptUntil = askedAt + KEPT_MS;
    } catch (thrown) {
      log.line("error", "secret.unread", { setting, name, is_known: text !== undefined, reason: String(thrown) });
    }
    asking = undefined;
  };
  return {
    async read() {
      const now = clock.now();
      if (now >= keptUntil && now >= askedAt + AGAIN_MS) asking ??= refresh();
      await asking;
      if (text === undefined) throw new Unavailable(`the secret of the setting ${setting} cannot be read`);
      return text;
    },
    renew() {
      keptUntil = Number.NEGATIVE_INFINITY;
    },
  };
};
