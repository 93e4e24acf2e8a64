/** What a line of the log says of what was thrown: name and message of an error, and of anything else nothing. */
export const faultText = (thrown: unknown): string => (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown");
