import { useState } from "preact/hooks";
import { useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Loaded } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { go } from "../../address.ts";
import type { ViewProps } from "../../view.ts";
import { type Domain, listDomains } from "../calls.ts";
import { useRights } from "../tabs.ts";
import { NewDomain } from "./new-domain.tsx";
import { OneDomain } from "./one-domain.tsx";

const COLUMNS: readonly Column<Domain>[] = [
  { title: "Domain", cell: ({ domain }) => domain },
  {
    title: "Verified",
    cell: ({ verified_at }) => (verified_at ? <Ago at={verified_at} /> : <span class="health-amber">not yet</span>),
  },
  { title: "People join", cell: ({ jit_provisioning_enabled }) => (jit_provisioning_enabled ? "by themselves" : "when they are added") },
];

/** The e-mail domains of the project's organization; one of them open below. */
export const Domains = ({ project, open }: ViewProps) => {
  const { may } = useSession();
  const { admin } = useRights(project);
  const organization = project.organization_id;
  const asked = useCall(listDomains(organization));
  // The list does not know a domain yet in the moment after it was named.
  const [made, setMade] = useState<Domain>();
  const mayWrite = admin && may("organization:write");
  const root = `project/${project.id}/health/domains`;
  return (
    <Loaded of={asked}>
      {({ results }) => {
        const one = [...results, ...(made ? [made] : [])].find(({ id }) => id === open[1]);
        return (
          <>
            <p class="health-prose">
              People with an e-mail address of a verified domain may join by themselves, and can be held to one sign-in provider.
            </p>
            <Table
              label="Domains"
              columns={COLUMNS}
              rows={results}
              keyOf={({ id }) => id}
              open={open[1]}
              hrefOf={({ id }) => `${root}/${id}`}
              empty={<p class="soft">The organization has named no domain.</p>}
            />
            {mayWrite && (
              <NewDomain
                organization={organization}
                added={(domain) => {
                  setMade(domain);
                  go(`${root}/${domain.id}`);
                }}
              />
            )}
            {open[1] !== undefined &&
              (one ? (
                <OneDomain key={one.id} organization={organization} domain={one} root={root} mayWrite={mayWrite} />
              ) : (
                <p>The organization has no such domain. It may have been deleted.</p>
              ))}
          </>
        );
      }}
    </Loaded>
  );
};
