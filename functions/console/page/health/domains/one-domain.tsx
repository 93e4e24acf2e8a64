import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { CopyButton } from "../../../parts/copy/copy.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { Exact } from "../../../parts/time/time.tsx";
import { go } from "../../address.ts";
import { type Domain, domainsOf, removeDomain, verifyDomain } from "../calls.ts";
import { DomainSettings } from "./domain-settings.tsx";

interface OneDomainProps {
  readonly organization: string;
  readonly domain: Domain;
  readonly root: string;
  readonly mayWrite: boolean;
}

/** One domain: the record that verifies it, or what a verified one decides. */
export const OneDomain = ({ organization, domain, root, mayWrite }: OneDomainProps) => {
  const action = useAction();
  const remove = async (): Promise<void> => {
    if (await action.run(removeDomain(organization, domain.id), domainsOf(organization))) go(root, { replace: true });
  };
  return (
    <section class="health-opened">
      <h2>{domain.domain}</h2>
      {domain.verified_at ? (
        <>
          <p>
            Verified <Exact at={domain.verified_at} />.
          </p>
          <DomainSettings organization={organization} domain={domain} mayWrite={mayWrite} />
        </>
      ) : (
        <Verification organization={organization} domain={domain} mayWrite={mayWrite} />
      )}
      {action.problem && <Problem problem={action.problem} />}
      {mayWrite && (
        <div>
          <ConfirmButton
            title="Delete"
            label={`Delete ${domain.domain}`}
            question={`The organization forgets ${domain.domain} and its settings. Delete it?`}
            disabled={action.running}
            act={() => void remove()}
          />
        </div>
      )}
    </section>
  );
};

/** The name under which the record is looked for. */
const recordName = (domain: string): string => `_analytics-challenge.${domain}`;

const Verification = ({ organization, domain, mayWrite }: Omit<OneDomainProps, "root">) => {
  const action = useAction();
  const [isMissing, setMissing] = useState(false);
  const verify = async (): Promise<void> => {
    setMissing(false);
    const answer = await action.run(verifyDomain(organization, domain.id), domainsOf(organization));
    setMissing(answer?.is_verified === false);
  };
  return (
    <>
      <p class="health-prose">Put this record into the DNS of the domain, then verify it: only who rules the domain can do that.</p>
      <dl class="health-facts">
        <RecordPart name="Type" text="TXT" />
        <RecordPart name="Name" text={recordName(domain.domain)} />
        <RecordPart name="Value" text={domain.verification_challenge} />
      </dl>
      {mayWrite && (
        <div>
          <button type="button" class="primary" disabled={action.running} onClick={() => void verify()}>
            Verify
          </button>
        </div>
      )}
      <p role="status">
        {isMissing && "The record is not there yet. DNS may take minutes, at times a day, to tell of it: leave it there and try again."}
      </p>
      {action.problem && <Problem problem={action.problem} />}
    </>
  );
};

const RecordPart = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <code>{text}</code> <CopyButton text={text} />
    </dd>
  </div>
);
