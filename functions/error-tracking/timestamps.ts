/** A stored moment as this area shows it: microseconds only where there are any. */
export const shortMicros = (iso: string): string => iso.replace(".000000Z", "Z");
