import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { changeDomain, type Domain, domainsOf } from "../calls.ts";

interface DomainSettingsProps {
  readonly organization: string;
  readonly domain: Domain;
  readonly mayWrite: boolean;
}

/** Who joins through a verified domain, and how they have to sign in. */
export const DomainSettings = ({ organization, domain, mayWrite }: DomainSettingsProps) => {
  const [joins, setJoins] = useState(domain.jit_provisioning_enabled);
  const [provider, setProvider] = useState(domain.sso_enforcement);
  const action = useAction();
  const isChanged = joins !== domain.jit_provisioning_enabled || provider !== domain.sso_enforcement;
  const save = (): void => {
    const body = { jit_provisioning_enabled: joins, sso_enforcement: provider };
    void action.run(changeDomain(organization, domain.id, body), domainsOf(organization));
  };
  return (
    <form
      class="domain-settings"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <fieldset disabled={!mayWrite}>
        <legend class="hidden">Settings of {domain.domain}</legend>
        <label class="check">
          <input type="checkbox" checked={joins} onChange={({ currentTarget }) => setJoins(currentTarget.checked)} />
          People of this domain join by themselves when they first sign in
        </label>
        <TextField
          label="Sign-in provider that they have to use"
          value={provider}
          change={setProvider}
          autoComplete="off"
          placeholder="any"
          hint={<code>sso_enforcement</code>}
        />
        {mayWrite && (
          <div>
            <button type="submit" disabled={action.running || !isChanged}>
              Save
            </button>
          </div>
        )}
      </fieldset>
      {action.problem && <Problem problem={action.problem} />}
    </form>
  );
};
