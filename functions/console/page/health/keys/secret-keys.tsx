import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { Loaded, Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { listSecretKeys, revokeSecretKey, rollSecretKey, type SecretKey, secretKeysOf } from "../calls.ts";
import { actionsWith, LAST_USED, labelColumn, SCOPES } from "./key-columns.tsx";
import { NewSecretKey } from "./new-secret-key.tsx";
import type { ShownValue } from "./new-value.tsx";

interface SecretKeysProps {
  readonly project: ReachedProject;
  show(value: ShownValue): void;
}

/** The secret keys of the project. */
export const SecretKeys = ({ project, show }: SecretKeysProps) => {
  const { may } = useSession();
  const address = useAddress();
  const asked = useCall(listSecretKeys(project.id));
  const action = useAction();
  const mayWrite = may("personal_api_key:write");
  const isMaking = mayWrite && address.query.get("make") === "secret";
  const changes = secretKeysOf(project.id);

  const roll = async ({ id }: SecretKey): Promise<void> => {
    const { value, label } = (await action.run(rollSecretKey(project.id, id), changes)) ?? {};
    if (value && label) show({ label, value, before: "The value before opens nothing." });
  };

  const columns: readonly Column<SecretKey>[] = [
    labelColumn(),
    SCOPES,
    LAST_USED,
    ...(mayWrite
      ? [
          actionsWith<SecretKey>((key) => (
            <>
              <ConfirmButton
                title="Roll"
                label={`Roll ${key.label}`}
                question="Its value stops now. Roll it?"
                disabled={action.running}
                act={() => void roll(key)}
              />
              <ConfirmButton
                title="Revoke"
                label={`Revoke ${key.label}`}
                question="It opens nothing any more. Revoke it?"
                disabled={action.running}
                act={() => void action.run(revokeSecretKey(project.id, key.id), changes)}
              />
            </>
          )),
        ]
      : []),
  ];
  return (
    <section>
      <header class="health-head">
        <h2>Secret keys of {project.name}</h2>
        {mayWrite && !isMaking && <a href={withQuery(address, { make: "secret" })}>New secret key</a>}
      </header>
      {isMaking && (
        <NewSecretKey project={project.id} close={() => go(withQuery(address, { make: undefined }), { replace: true })} show={show} />
      )}
      {action.problem && <Problem problem={action.problem} />}
      <Loaded of={asked}>
        {(keys) => (
          <Table
            label={`Secret keys of ${project.name}`}
            columns={columns}
            rows={keys}
            keyOf={({ id }) => id}
            empty={<p class="soft">The project has none. A backend runs endpoints with one, whoever comes and goes.</p>}
          />
        )}
      </Loaded>
      <p class="note">A secret key speaks for the project: it belongs on servers, never in a page or an app.</p>
    </section>
  );
};
