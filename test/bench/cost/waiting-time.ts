/** A time in which nothing happens but waiting. */
export interface WaitingTime {
  /** Milliseconds waited so far: of waits side by side, the longest. */
  now(): number;
  wait(ms: number): Promise<void>;
}

/**
 * Goes on, without a second of real time, when whoever is awake has done what can be done at once. Who works in another thread
 * meanwhile begins its next wait later than it would, so the sum is never too small.
 */
export const waitingTime = (): WaitingTime => {
  let now = 0;
  let sleepers: readonly { readonly until: number; readonly wake: () => void }[] = [];
  const pass = (): void => {
    now = Math.min(...sleepers.map(({ until }) => until));
    const awake = sleepers.filter(({ until }) => until <= now);
    sleepers = sleepers.filter(({ until }) => until > now);
    if (sleepers.length > 0) setImmediate(pass);
    for (const { wake } of awake) wake();
  };
  return {
    now: () => now,
    wait: (ms) =>
      new Promise((wake) => {
        if (sleepers.length === 0) setImmediate(pass);
        sleepers = [...sleepers, { until: now + ms, wake }];
      }),
  };
};
