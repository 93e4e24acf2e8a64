/** What the table is called in the query that reads it. */
export const TABLE_NAME = "materialised_rows";
