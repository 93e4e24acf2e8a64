import { useState } from "preact/hooks";
import type { ReachedProject } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { ChoiceField, TextField } from "../../parts/field/field.tsx";
import { typedValue } from "../../parts/field/typed-value.ts";
import { RESULT_KINDS } from "../../parts/result/kinds.ts";
import { Loaded } from "../../parts/state/state.tsx";
import { type Endpoint, endpoint, endpoints, type Tile } from "./calls.ts";

interface TileFormProps {
  readonly project: ReachedProject;
  readonly tile: Tile;
  done(tile: Tile): void;
}

/** What a tile shows and how: its endpoint, version, plot, title, size and values. */
export const TileForm = ({ project, tile, done }: TileFormProps) => {
  const listed = useCall(endpoints(project.id));
  return (
    <Loaded of={listed} lines={8}>
      {({ results }) =>
        results.length === 0 ? <NoEndpoint project={project} /> : <Fields project={project} tile={tile} done={done} choices={results} />
      }
    </Loaded>
  );
};

const NoEndpoint = ({ project }: Pick<TileFormProps, "project">) => (
  <p>
    The project has no endpoint yet. Write a query in <a href={`project/${project.id}/ask`}>Ask</a> and save it there.
  </p>
);

const WIDTHS = [
  { value: "3", title: "A quarter" },
  { value: "4", title: "A third" },
  { value: "6", title: "Half" },
  { value: "8", title: "Two thirds" },
  { value: "9", title: "Three quarters" },
  { value: "12", title: "Whole" },
];

const HEIGHTS = [
  { value: "1", title: "Low" },
  { value: "2", title: "Middle" },
  { value: "3", title: "High" },
];

/** The choices, and the present one where it is none of them. */
const withPresent = (choices: typeof WIDTHS, value: string) =>
  choices.some((each) => each.value === value) ? choices : [...choices, { value, title: `${value} of 12` }];

const Fields = ({ project, tile, done, choices }: TileFormProps & { readonly choices: readonly Endpoint[] }) => {
  const [draft, setDraft] = useState<Tile>({ ...tile, endpoint: tile.endpoint || (choices[0]?.name ?? "") });
  const set = (changes: Partial<Tile>): void => setDraft({ ...draft, ...changes });
  const chosen = choices.find(({ name }) => name === draft.endpoint);
  const names = chosen ? choices : [...choices, { name: draft.endpoint }];
  return (
    <form
      class="dashboard-form"
      onSubmit={(event) => {
        event.preventDefault();
        done({ ...draft, title: draft.title?.trim() || null });
      }}
    >
      <div class="tile-form">
        <ChoiceField
          label="Endpoint"
          value={draft.endpoint}
          options={names.map(({ name }) => ({ value: name, title: name }))}
          change={(name) => set({ endpoint: name, version: null, variables: {} })}
        />
        <ChoiceField
          label="Version"
          value={String(draft.version ?? "")}
          options={[
            { value: "", title: "The newest" },
            ...Array.from({ length: chosen?.current_version ?? draft.version ?? 0 }, (_, at) => String(at + 1))
              .reverse()
              .map((value) => ({ value, title: value })),
          ]}
          change={(value) => set({ version: value === "" ? null : Number(value) })}
        />
        <TextField label="Title" value={draft.title ?? ""} placeholder={draft.endpoint} change={(title) => set({ title })} />
        <ChoiceField
          label="Shown as"
          value={draft.plot}
          options={RESULT_KINDS}
          change={(value) => set({ plot: RESULT_KINDS.find((kind) => kind.value === value)?.value ?? "auto" })}
        />
        <ChoiceField
          label="Width"
          value={String(draft.width)}
          options={withPresent(WIDTHS, String(draft.width))}
          change={(value) => set({ width: Number(value) })}
        />
        <ChoiceField label="Height" value={String(draft.height)} options={HEIGHTS} change={(value) => set({ height: Number(value) })} />
      </div>
      <Variables key={draft.endpoint} project={project} tile={draft} change={(variables) => set({ variables })} />
      <button type="submit" class="primary">
        {tile.endpoint === "" ? "Add" : "Change"}
      </button>
    </form>
  );
};

interface VariablesProps {
  readonly project: ReachedProject;
  readonly tile: Tile;
  change(variables: Tile["variables"]): void;
}

const DATES = ["date_from", "date_to"];

/** A field for each variable of the endpoint, empty where the tile leaves it to the endpoint's own value. */
const Variables = ({ project, tile, change }: VariablesProps) => {
  const { data } = useCall(endpoint(project.id, tile));
  // What is being typed: "1.0" is on the way to "1.05", and reads as 1.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const declared = data?.query?.kind === "HogQLQuery" ? Object.values(data.query.variables ?? {}) : [];
  const usual = new Map(declared.map(({ code_name, value }) => [code_name, value]));
  const names = [...new Set([...usual.keys(), ...Object.keys(tile.variables)])];
  if (names.length === 0) return null;
  const set = (name: string, text: string): void => {
    const { [name]: _, ...others } = tile.variables;
    setTyped((before) => ({ ...before, [name]: text }));
    change(text === "" ? others : { ...others, [name]: typeof usual.get(name) === "string" ? text : typedValue(text) });
  };
  return (
    <fieldset class="tile-form">
      <legend>Variables</legend>
      {names.map((name) => (
        <TextField
          key={name}
          label={name}
          value={typed[name] ?? textOf(tile.variables[name])}
          placeholder={textOf(usual.get(name))}
          hint={DATES.includes(name) ? "The range of the dashboard, when left empty." : undefined}
          change={(text) => set(name, text)}
        />
      ))}
    </fieldset>
  );
};

const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
