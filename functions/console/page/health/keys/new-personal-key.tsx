import { useState } from "preact/hooks";
import { SCOPES } from "../../../calls/scopes.ts";
import { type ReachedProject, useSession, type Who } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { ChoiceField } from "../../../parts/field/field.tsx";
import { makePersonalKey, type NewPersonalKey as NewKey, PERSONAL_KEYS } from "../calls.ts";
import { KeyForm } from "./key-form.tsx";
import type { ShownValue } from "./new-value.tsx";

interface NewPersonalKeyProps {
  readonly project: ReachedProject;
  close(): void;
  show(value: ShownValue): void;
}

/** Makes a key that can do no more than the one that is signed in. */
export const NewPersonalKey = ({ project, close, show }: NewPersonalKeyProps) => {
  const { who, may } = useSession();
  const action = useAction();
  const places = placesFor(project, who);
  const [name, setName] = useState("");
  const place = places.find(({ value }) => value === name) ?? places[0];
  const make = async (label: string, scopes: readonly string[]): Promise<void> => {
    if (place === undefined) return;
    const body = { label, scopes: [...scopes], scoped_teams: place.scoped_teams, scoped_organizations: place.scoped_organizations };
    const { value } = (await action.run(makePersonalKey(body), PERSONAL_KEYS)) ?? {};
    if (!value) return;
    close();
    show({ label, value });
  };
  return (
    <KeyForm
      title="Make the personal key"
      scopes={SCOPES.filter(may)}
      everything={may("*")}
      action={action}
      make={(label, scopes) => void make(label, scopes)}
      close={close}
    >
      <ChoiceField label="Restricted to" value={place?.value ?? ""} options={places} change={setName} />
    </KeyForm>
  );
};

type Place = Pick<NewKey, "scoped_teams" | "scoped_organizations"> & { readonly value: string; readonly title: string };

/** Where the new key may hold: all that this one reaches, or less. */
const placesFor = (project: ReachedProject, who: Who | undefined): readonly Place[] => {
  const { scoped_teams = [], scoped_organizations = [] } = who ?? {};
  const organization = who?.organizations.find(({ id }) => id === project.organization_id);
  const all =
    scoped_teams.length + scoped_organizations.length === 0
      ? "Not restricted: all that you reach"
      : "All that the key of this session reaches";
  return [
    { value: "project", title: `The project ${project.name}`, scoped_teams: [project.id], scoped_organizations },
    ...(organization && scoped_teams.length === 0
      ? [
          {
            value: "organization",
            title: `The organization ${organization.name}`,
            scoped_teams: [],
            scoped_organizations: [organization.id],
          },
        ]
      : []),
    { value: "all", title: all, scoped_teams, scoped_organizations },
  ];
};
