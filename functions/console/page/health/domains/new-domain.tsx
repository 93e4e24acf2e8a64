import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { TextField } from "../../../parts/field/field.tsx";
import { addDomain, type Domain, domainsOf } from "../calls.ts";

interface NewDomainProps {
  readonly organization: string;
  added(domain: Domain): void;
}

/** Names a domain, which is then to be verified. */
export const NewDomain = ({ organization, added }: NewDomainProps) => {
  const [domain, setDomain] = useState("");
  const action = useAction();
  const add = async (): Promise<void> => {
    const made = await action.run(addDomain(organization, domain.trim()), domainsOf(organization));
    if (!made) return;
    setDomain("");
    added(made);
  };
  return (
    <form
      class="health-filters"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <TextField
        label="Another domain"
        value={domain}
        change={setDomain}
        name="domain"
        autoComplete="off"
        placeholder="shop.example"
        problem={action.problem?.message}
      />
      <button type="submit" disabled={action.running || domain.trim() === ""}>
        Add
      </button>
    </form>
  );
};
