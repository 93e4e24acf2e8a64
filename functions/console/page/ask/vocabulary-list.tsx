import { useState } from "preact/hooks";
import { TextField } from "../../parts/field/field.tsx";
import { named, quoted } from "./completion.ts";
import type { Term, Vocabulary } from "./vocabulary.ts";

interface VocabularyListProps {
  readonly vocabulary: Vocabulary;
  /** Writes a text into the query. */
  insert(text: string): void;
}

/** More names of one sort than these are found by typing. */
const MOST = 200;

/** What queries can name; a press writes it into the query. */
export const VocabularyList = ({ vocabulary, insert }: VocabularyListProps) => {
  const [wanted, setWanted] = useState("");
  const { events, properties, personProperties, tables, functions } = vocabulary;
  const sorts: readonly Sort[] = [
    { title: "Events", terms: events, text: quoted },
    { title: "Properties", terms: properties, text: (name) => `properties.${named(name)}` },
    { title: "Person properties", terms: personProperties, text: (name) => `person.properties.${named(name)}` },
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
        <SortList key={sort.title} {...sort} wanted={wanted.trim().toLowerCase()} insert={insert} />
      ))}
    </div>
  );
};

interface Sort {
  readonly title: string;
  readonly terms: readonly Term[];
  /** A name as it stands in a query. */
  text(name: string): string;
}

const SortList = ({ title, terms, text, wanted, insert }: Sort & { readonly wanted: string; insert(text: string): void }) => {
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
