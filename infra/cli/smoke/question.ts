/** A platform that is asked, with a project and a key that are the questions' own. */
export interface Site {
  readonly ingestUrl: string;
  readonly baseUrl: string;
  readonly project: number;
  readonly token: string;
  readonly key: string;
  /** Nothing else has it: it tells this run's events from those of others. */
  readonly run: string;
  /** Deployed, or on this machine without a gateway. */
  readonly place: Place;
}

export type Place = "deployed" | "laptop";

/** What came of a question. */
export interface Finding {
  readonly found: string;
  readonly asAssumed: boolean;
}

/** One thing that only the platform's surroundings can answer. */
export interface Question {
  readonly asks: string;
  /** What the platform relies on, where it is deployed and on a laptop; a laptop without an entry is not asked. */
  readonly assumed: { readonly deployed: string; readonly laptop?: string };
  /** Rejects where there is no answer at all, which is never as assumed. */
  ask(site: Site): Promise<Finding>;
}

/** One question's line in the report. */
export interface Answered extends Finding {
  readonly asks: string;
  readonly assumed: string;
}

/** Whether what was found is what was assumed, word for word. */
export const exactly = (assumed: Question["assumed"], { place }: Site, found: string): Finding => ({
  found,
  asAssumed: found === assumed[place],
});

/** A question whose answer is one text, which has to be the one that was assumed. */
export const question = (asks: string, assumed: Question["assumed"], ask: (site: Site) => Promise<string>): Question => ({
  asks,
  assumed,
  ask: async (site) => exactly(assumed, site, await ask(site)),
});

/** A question that is answered by something that took a time, which may be `withinMs` at most. */
export const timed = (asks: string, withinMs: number, ask: (site: Site) => Promise<string>): Question => ({
  asks,
  assumed: { deployed: `within ${withinMs / 1_000} s`, laptop: `within ${withinMs / 1_000} s` },
  async ask(site) {
    const began = performance.now();
    const found = await ask(site);
    const tookMs = performance.now() - began;
    return { found: `${found} after ${(tookMs / 1_000).toFixed(1)} s`, asAssumed: tookMs <= withinMs };
  },
});
