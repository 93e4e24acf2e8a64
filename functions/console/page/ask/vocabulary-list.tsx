import { useState } from "preact/hooks";
import { useCall } from "../../calls/use-call.ts";
import { TextField } from "../../parts/field/field.tsx";
import { numberText } from "../../parts/number/number.tsx";
import { Loaded } from "../../parts/state/state.tsx";
import { listValues } from "./calls.ts";
import { named, quoted } from "./completion.ts";
import type { Term, Vocabulary } from "./vocabulary.ts";

interface VocabularyListProps {
  readonly project: number;
  readonly vocabulary: Vocabulary;
  /** Writes a text into the query. */
  insert(text: string): void;
}

/** More names of one sort than these are found by typing. */
const MOST = 200;

/** What queries can name; a press writes it into the query. */
export const VocabularyList = ({ project, vocabulary, insert }: VocabularyListProps) => {
  const [wanted, setWanted] = useState("");
  const { events, properties, personProperties, tables, functions } = vocabulary;
  const sorts: readonly Sort[] = [
    { title: "Events", terms: events, text: quoted },
    { title: "Properties", terms: properties, text: (name) => `properties.${named(name)}`, valuesOf: "event" },
    { title: "Person properties", terms: personProperties, text: (name) => `person.properties.${named(name)}`, valuesOf: "person" },
    ...tables.map(({ name, columns }) => ({
      title: `Table ${name}`,
      terms: columns.map((column) => ({ name: column, detail: "" })),
      text: (column: string) => column,
    })),
    { title: "Functions", terms: functions, text: (name) => `${name}()` },
  ];
  return (
    <div class="ask-names">
      <TextField label="Find a name" type="search" value={wanted} change={setWanted} />
      {sorts.map((sort) => (
        <SortList key={sort.title} project={project} {...sort} wanted={wanted.trim().toLowerCase()} insert={insert} />
      ))}
    </div>
  );
};

interface Sort {
  readonly title: string;
  readonly terms: readonly Term[];
  /** A name as it stands in a query. */
  text(name: string): string;
  /** Whose properties these are, where they have values to show. */
  readonly valuesOf?: "event" | "person";
}

interface SortListProps extends Sort {
  readonly project: number;
  readonly wanted: string;
  insert(text: string): void;
}

const SortList = ({ project, title, terms, text, valuesOf, wanted, insert }: SortListProps) => {
  const found = terms.filter(({ name }) => name.toLowerCase().includes(wanted));
  if (found.length === 0) return null;
  return (
    <details open={wanted !== "" || title === "Events"}>
      <summary>
        {title} <span class="soft">{found.length}</span>
      </summary>
      <ul>
        {found.slice(0, MOST).map(({ name, detail }) => (
          <li key={name}>
            <button type="button" class="quiet" onClick={() => insert(text(name))}>
              <span>{name}</span> <span class="soft">{detail}</span>
            </button>
            {valuesOf && (
              <PropertyValues
                project={project}
                owner={valuesOf}
                name={name}
                insert={(value) => insert(`${text(name)} = ${quoted(value)}`)}
              />
            )}
          </li>
        ))}
      </ul>
      {found.length > MOST && (
        <p class="note">
          The first {MOST} of {found.length}: type a part of the name.
        </p>
      )}
    </details>
  );
};

interface PropertyValuesProps {
  readonly project: number;
  readonly owner: "event" | "person";
  readonly name: string;
  insert(value: string): void;
}

/** The most frequent values of a property, once somebody wants to see them: reading them takes a query. */
const PropertyValues = ({ project, owner, name, insert }: PropertyValuesProps) => {
  const [isOpen, setOpen] = useState(false);
  const values = useCall(isOpen ? listValues(project, owner, name) : undefined, { freshMs: VALUES_FRESH_MS });
  return (
    <details class="ask-values" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Values<span class="hidden"> of {name}</span>
      </summary>
      {isOpen && (
        <Loaded of={values} lines={3}>
          {({ results }) => (
            <ul>
              {results.map((value) => (
                <li key={value.name}>
                  <button type="button" class="quiet" onClick={() => insert(value.name)}>
                    <span>{value.name}</span> <span class="soft">{numberText(value.count)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      )}
    </details>
  );
};

const VALUES_FRESH_MS = 300_000;
