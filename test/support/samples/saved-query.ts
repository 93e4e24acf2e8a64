/** The body of a SQL query whose variables are `defaults`, each under a UUID of its own. */
export const sqlQuery = (query: string, defaults: Readonly<Record<string, unknown>> = {}) => ({
  kind: "HogQLQuery",
  query,
  variables: Object.fromEntries(
    Object.entries(defaults).map(([code_name, value], index) => {
      const variableId = `5f0b9a0e-1c7b-4a8b-9c0e-${String(index).padStart(12, "0")}`;
      return [variableId, { variableId, code_name, value }];
    }),
  ),
});
