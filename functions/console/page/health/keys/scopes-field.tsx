interface ScopesFieldProps {
  /** The scopes that can be given, `object:read` and `object:write`. */
  readonly scopes: readonly string[];
  readonly everything: boolean;
  readonly chosen: readonly string[];
  change(chosen: readonly string[]): void;
}

/** Scopes by their object, with a column for reading and one for writing. Who writes a thing reads it, too. */
export const ScopesField = ({ scopes, everything, chosen, change }: ScopesFieldProps) => {
  const objects = [...new Set(scopes.map((scope) => scope.slice(0, scope.indexOf(":"))))];
  const isAll = chosen.includes("*");
  const set = (scope: string, isOn: boolean): void => {
    const others = chosen.filter((each) => each !== scope && each !== "*" && !(isOn && each === readingOf(scope)));
    change(isOn ? [...others, scope] : others);
  };
  const box = (scope: string) => {
    const isImplied = isAll || (scope.endsWith(":read") && chosen.includes(scope.replace(/:read$/, ":write")));
    if (!scopes.includes(scope)) return <span class="soft">–</span>;
    return (
      <input
        type="checkbox"
        aria-label={scope}
        checked={isImplied || chosen.includes(scope)}
        disabled={isImplied}
        onChange={({ currentTarget }) => set(scope, currentTarget.checked)}
      />
    );
  };
  return (
    <fieldset class="key-scopes">
      <legend>Scopes</legend>
      {everything && (
        <label class="check">
          <input type="checkbox" checked={isAll} onChange={({ currentTarget }) => change(currentTarget.checked ? ["*"] : [])} />
          <span>
            Everything (<code>*</code>), also what comes with later versions
          </span>
        </label>
      )}
      <div class="scope-columns">
        {objects.map((object) => (
          <div key={object} class="scope">
            <code>{object}</code>
            <span class="check">
              {box(`${object}:read`)} <span aria-hidden="true">read</span>
            </span>
            <span class="check">
              {box(`${object}:write`)} <span aria-hidden="true">write</span>
            </span>
          </div>
        ))}
      </div>
    </fieldset>
  );
};

const readingOf = (scope: string): string => scope.replace(/:write$/, ":read");
