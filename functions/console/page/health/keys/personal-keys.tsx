import { type ReachedProject, useSession, type Who } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { Loaded, Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { listPersonalKeys, PERSONAL_KEYS, type PersonalKey, revokePersonalKey, rollPersonalKey } from "../calls.ts";
import { actionsWith, LAST_USED, labelColumn, SCOPES } from "./key-columns.tsx";
import { NewPersonalKey } from "./new-personal-key.tsx";
import type { ShownValue } from "./new-value.tsx";

interface PersonalKeysProps {
  readonly project: ReachedProject;
  show(value: ShownValue | undefined): void;
}

/** The personal keys of whoever is signed in. */
export const PersonalKeys = ({ project, show }: PersonalKeysProps) => {
  const { who, may, replaceKey, signOut } = useSession();
  const address = useAddress();
  const asked = useCall(listPersonalKeys());
  const action = useAction();
  const mayWrite = may("personal_api_key:write");
  const isMaking = mayWrite && address.query.get("make") === "personal";
  const isOwn = ({ id }: PersonalKey): boolean => id === who?.id;

  const roll = async (key: PersonalKey): Promise<void> => {
    // The list is asked for with the value that just stopped where it is the session's own: that goes on with the new one first.
    const { value, label } = (await action.run(rollPersonalKey(key.id), isOwn(key) ? undefined : PERSONAL_KEYS)) ?? {};
    if (!value || !label) return;
    if (isOwn(key)) replaceKey(value);
    show({
      label,
      value,
      before: isOwn(key) ? "This session goes on with it; the value before opens nothing." : "The value before opens nothing.",
    });
  };
  const revoke = async (key: PersonalKey): Promise<void> => {
    const revoked = await action.run(revokePersonalKey(key.id), isOwn(key) ? undefined : PERSONAL_KEYS);
    if (revoked && isOwn(key)) signOut("The key of this session was revoked. Sign in with another one.");
  };

  const columns: readonly Column<PersonalKey>[] = [
    labelColumn(who?.id),
    SCOPES,
    { title: "Restricted to", cell: (key) => restriction(key, who) },
    LAST_USED,
    ...(mayWrite
      ? [
          actionsWith<PersonalKey>((key) => (
            <>
              <ConfirmButton
                title="Roll"
                label={`Roll ${key.label}`}
                question={isOwn(key) ? ROLL_OWN : ROLL}
                disabled={action.running}
                act={() => void roll(key)}
              />
              <ConfirmButton
                title="Revoke"
                label={`Revoke ${key.label}`}
                question={isOwn(key) ? REVOKE_OWN : REVOKE}
                disabled={action.running}
                act={() => void revoke(key)}
              />
            </>
          )),
        ]
      : []),
  ];
  return (
    <section>
      <header class="health-head">
        <h2>Your personal keys</h2>
        {mayWrite && !isMaking && <a href={withQuery(address, { make: "personal" })}>New personal key</a>}
      </header>
      {isMaking && (
        <NewPersonalKey project={project} close={() => go(withQuery(address, { make: undefined }), { replace: true })} show={show} />
      )}
      {action.problem && <Problem problem={action.problem} />}
      <Loaded of={asked}>
        {(keys) => (
          <Table
            label="Your personal keys"
            columns={columns}
            rows={keys}
            keyOf={({ id }) => id}
            empty={<p class="soft">You have none.</p>}
          />
        )}
      </Loaded>
      <p class="note">A personal key speaks for you, in as much as its scopes allow.</p>
    </section>
  );
};

const ROLL = "Its value stops now. Roll it?";
const ROLL_OWN = "Its value stops now; this session goes on with the new one. Roll it?";
const REVOKE = "It opens nothing any more. Revoke it?";
const REVOKE_OWN = "This is the key of this session: you will be signed out. Revoke it?";

/** Where a key holds, in names where they are known. */
const restriction = ({ scoped_teams, scoped_organizations }: PersonalKey, who: Who | undefined): string => {
  const projects = scoped_teams.map((id) => who?.projects.find((each) => each.id === id)?.name ?? `project ${id}`);
  const organizations = scoped_organizations.map((id) => who?.organizations.find((each) => each.id === id)?.name ?? id);
  return [...organizations, ...projects].join(", ") || "not restricted";
};
