/** A time in microseconds as ISO 8601 with microseconds, also before 1970. */
export const isoOfMicros = (micros: bigint): string => {
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const ms = new Date(Number((micros - rest) / 1000n)).toISOString();
  return ms.replace("Z", `${String(rest).padStart(3, "0")}Z`);
};
