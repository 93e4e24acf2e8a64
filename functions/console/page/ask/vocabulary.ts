import { useMemo } from "preact/hooks";
import { useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { numberText } from "../../parts/number/number.tsx";
import { frequentEvents, listLanguage, listProperties } from "./calls.ts";

/** A name that can stand in a query. */
export interface Term {
  readonly name: string;
  /** What it is, in a word. */
  readonly detail: string;
}

/** The names that a project's queries are made of. */
export interface Vocabulary {
  /** Of which of them there are more, to be found by a part of their name. */
  readonly cut: { readonly events: boolean; readonly properties: boolean; readonly personProperties: boolean };
  readonly events: readonly Term[];
  readonly properties: readonly Term[];
  readonly personProperties: readonly Term[];
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[];
  /** Each with what it is about. */
  readonly functions: readonly Term[];
}

const LONG_MS = 300_000;

/** What is known of a project's names; empty lists where they have not come, or may not be seen. */
export const useVocabulary = (project: number): Vocabulary => {
  const { may } = useSession();
  const mayProperties = may("property_definition:read");
  const events = useCall(frequentEvents(project), { freshMs: LONG_MS }).data;
  const properties = useCall(mayProperties ? listProperties(project, "event") : undefined, { freshMs: LONG_MS }).data;
  const persons = useCall(mayProperties ? listProperties(project, "person") : undefined, { freshMs: LONG_MS }).data;
  const language = useCall(listLanguage(project), { freshMs: LONG_MS }).data;
  return useMemo(
    () => ({
      cut: {
        events: events?.hasMore === true,
        properties: isCut(properties),
        personProperties: isCut(persons),
      },
      events: (events?.results ?? []).map((row) => {
        const [name, count] = row as readonly unknown[];
        return termOf({ name: String(name), volume_30_day: Number(count) });
      }),
      properties: (properties?.results ?? []).map(termOf),
      personProperties: (persons?.results ?? []).map(termOf),
      tables: language?.tables ?? [],
      functions: (language?.functions ?? []).map(({ name, family }) => ({ name, detail: family })),
    }),
    [events, properties, persons, language],
  );
};

const isCut = (list: { readonly count: number; readonly results: readonly unknown[] } | undefined): boolean =>
  list !== undefined && list.count > list.results.length;

/** An event or a property as lists have it. */
export interface Listed {
  readonly name: string;
  readonly volume_30_day?: number;
  readonly property_type?: string;
}

export const termOf = ({ name, volume_30_day = 0, property_type }: Listed): Term => ({
  name,
  detail: property_type ?? `${numberText(volume_30_day)} in 30 days`,
});
