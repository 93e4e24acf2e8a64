import { useState } from "preact/hooks";
import type { ReachedProject } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Loaded } from "../../../parts/state/state.tsx";
import { explainFingerprint, explainIssue, listFingerprints } from "../calls.ts";
import { explanationText, pieceText } from "./explanation.ts";

interface GroupingProps {
  readonly project: ReachedProject;
  readonly issue: string;
}

/** How each fingerprint of an issue was made; asked when somebody wants to know. */
export const Grouping = ({ project, issue }: GroupingProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="libraries" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why these events are one issue</summary>
      {isOpen && <FingerprintList project={project} issue={issue} />}
    </details>
  );
};

const FingerprintList = ({ project, issue }: GroupingProps) => {
  const fingerprints = useCall(listFingerprints(project.id, issue));
  const explained = useCall(explainIssue(project.id, issue));
  const byFingerprint = new Map(explained.data?.fingerprints.map((each) => [each.fingerprint, each]));
  return (
    <Loaded of={fingerprints} lines={2}>
      {({ count, results }) => (
        <>
          <ol class="frames">
            {results.map(({ id, fingerprint }) => {
              const explanation = byFingerprint.get(fingerprint);
              return (
                <li key={id}>
                  <FingerprintDetails project={project.id} id={id}>
                    <code>{fingerprint.slice(0, 24)}</code> {explanation && explanationText(explanation, explained.data?.frames ?? [])}
                    {explanation?.moved && <span class="soft">, moved here</span>}
                  </FingerprintDetails>
                </li>
              );
            })}
          </ol>
          {count > results.length && (
            <p class="note">
              The oldest {numberText(results.length)} of {numberText(count)} are shown.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
};

interface FingerprintDetailsProps {
  readonly project: number;
  readonly id: string;
  readonly children: preact.ComponentChildren;
}

/** A fingerprint with the pieces that it was made of, in the order in which they count. */
const FingerprintDetails = ({ project, id, children }: FingerprintDetailsProps) => {
  const [isOpen, setOpen] = useState(false);
  const explained = useCall(isOpen ? explainFingerprint(project, id) : undefined);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="place">{children}</summary>
      {isOpen && (
        <Loaded of={explained} lines={2}>
          {({ version, pieces }) => (
            <ol class="frames">
              {pieces.map((piece, place) => (
                <li key={place} class="place">
                  {pieceText(piece)}
                </li>
              ))}
              {version && <li class="note">Version {version} of grouping</li>}
            </ol>
          )}
        </Loaded>
      )}
    </details>
  );
};
