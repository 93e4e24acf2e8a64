/** Does the work of every entry, in their order, at most `most` of them at once. Ends with the first fault. */
export const abreast = async <T>(entries: Iterable<T>, most: number, work: (entry: T) => Promise<void>): Promise<void> => {
  const waiting = entries[Symbol.iterator]();
  const lane = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: most }, lane));
};
