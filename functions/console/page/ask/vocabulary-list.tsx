import { useEffect, useState } from "preact/hooks";
import type { Call } from "../../calls/client.ts";
import { useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { TextField } from "../../parts/field/field.tsx";
import { numberText } from "../../parts/number/number.tsx";
import { Loaded } from "../../parts/state/state.tsx";
import { findEvents, listProperties, listValues } from "./calls.ts";
import { named, quoted } from "./completion.ts";
import { type Listed, type Term, termOf, type Vocabulary } from "./vocabulary.ts";

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
  const { events, properties, personProperties, tables, functions, cut } = vocabulary;
  const isFindable = useSession().may("event_definition:read");
  const sorts: readonly Sort[] = [
    { title: "Events", terms: events, isCut: cut.events, text: quoted, ...(isFindable && { find: (part) => findEvents(project, part) }) },
    {
      title: "Properties",
      terms: properties,
      isCut: cut.properties,
      text: (name) => `properties.${named(name)}`,
      valuesOf: "event",
      find: (part) => listProperties(project, "event", part),
    },
    {
      title: "Person properties",
      terms: personProperties,
      isCut: cut.personProperties,
      text: (name) => `person.properties.${named(name)}`,
      valuesOf: "person",
      find: (part) => listProperties(project, "person", part),
    },
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
  /** There are more, which are found by a part of their name. */
  readonly isCut?: boolean;
  find?(part: string): Call<{ readonly results: readonly Listed[] }>;
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

/** How long nothing is typed before more names are asked for, milliseconds. */
const TYPED_MS = 300;

const SortList = ({ project, title, terms, isCut = false, find, text, valuesOf, wanted, insert }: SortListProps) => {
  const [typed, setTyped] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setTyped(wanted), TYPED_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const isSought = isCut && wanted !== "";
  const more = useCall(isSought && typed === wanted ? find?.(wanted) : undefined, { freshMs: VALUES_FRESH_MS }).data?.results ?? [];
  const here = terms.filter(({ name }) => name.toLowerCase().includes(wanted));
  const known = new Set(here.map(({ name }) => name));
  const found = [...here, ...more.filter(({ name }) => !known.has(name)).map(termOf)];
  const count = `${isCut && !isSought ? "more than " : ""}${numberText(found.length)}`;
  if (found.length === 0) return null;
  return (
    <details open={wanted !== "" || title === "Events"}>
      <summary>
        {title} <span class="soft">{count}</span>
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
          The first {MOST} of {count}: type a part of the name.
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
