/** The moment that every recording begins at: 2026-11-20T12:00:00Z. */
export const BEGINNING = Date.UTC(2026, 10, 20, 12);
