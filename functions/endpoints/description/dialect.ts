/** The versions of OpenAPI in which a run is described; only the newer one can type the rows of SQL column by column. */
export const DIALECTS = ["3.0", "3.1"] as const;
export type Dialect = (typeof DIALECTS)[number];
