/** Processor time that work takes in this process, all its threads together: what else the machine does has no part in it. Milliseconds. */
export const cpuMs = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
