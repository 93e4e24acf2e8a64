import { conditionText, readFilters } from "./filters.ts";

/** Filters as a sentence; as JSON where they hold groups within groups. */
export const FiltersText = ({ filters }: { readonly filters: Readonly<Record<string, unknown>> }) => {
  const flat = readFilters(filters);
  if (flat === undefined) return <code>{JSON.stringify(filters)}</code>;
  if (flat.conditions.length === 0) return <>Every exception</>;
  return (
    <>
      {flat.conditions.map((condition, at) => (
        <span key={at}>
          {at > 0 && <span class="soft"> {flat.type === "AND" ? "and" : "or"} </span>}
          <code>{condition.key}</code> {conditionText(condition)}
        </span>
      ))}
    </>
  );
};
