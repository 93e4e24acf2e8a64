/** A text literal; for paths and other texts of our own making. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A name in double quotes. Names are ours: scans, columns of the tables and paths, never a tenant's. */
export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const readParquet = (paths: readonly string[]): string => `read_parquet([${paths.map(literal).join(", ")}])`;
