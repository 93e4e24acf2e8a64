import { useMemo } from "preact/hooks";
import { useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { listEvents, listLanguage, listProperties } from "./calls.ts";

/** A name that can stand in a query. */
export interface Term {
  readonly name: string;
  /** What it is, in a word. */
  readonly detail: string;
}

/** The names that a project's queries are made of. */
export interface Vocabulary {
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
  const events = useCall(may("event_definition:read") ? listEvents(project) : undefined, { freshMs: LONG_MS }).data;
  const properties = useCall(mayProperties ? listProperties(project, "event") : undefined, { freshMs: LONG_MS }).data;
  const persons = useCall(mayProperties ? listProperties(project, "person") : undefined, { freshMs: LONG_MS }).data;
  const language = useCall(listLanguage(project), { freshMs: LONG_MS }).data;
  return useMemo(
    () => ({
      events: (events?.results ?? [])
        .toSorted((a, b) => b.volume_30_day - a.volume_30_day)
        .map(({ name, volume_30_day }) => ({ name, detail: `${volume_30_day} in 30 days` })),
      properties: (properties?.results ?? []).map(({ name, property_type }) => ({ name, detail: property_type })),
      personProperties: (persons?.results ?? []).map(({ name, property_type }) => ({ name, detail: property_type })),
      tables: language?.tables ?? [],
      functions: (language?.functions ?? []).map(({ name, family }) => ({ name, detail: family })),
    }),
    [events, properties, persons, language],
  );
};
