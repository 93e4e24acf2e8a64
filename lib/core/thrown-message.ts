/** What something that was thrown says: its message where it is an error, else itself as text. */
export const thrownMessage = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
