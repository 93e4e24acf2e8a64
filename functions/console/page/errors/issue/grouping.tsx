import { useState } from "preact/hooks";
import type { ReachedProject } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Loaded } from "../../../parts/state/state.tsx";
import { explainIssue } from "../calls.ts";
import { explanationText } from "./explanation.ts";

interface GroupingProps {
  readonly project: ReachedProject;
  readonly issue: string;
}

/** How each fingerprint of an issue was made; asked when somebody wants to know. */
export const Grouping = ({ project, issue }: GroupingProps) => {
  const [isOpen, setOpen] = useState(false);
  const explained = useCall(isOpen ? explainIssue(project.id, issue) : undefined);
  return (
    <details class="libraries" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Why these events are one issue</summary>
      {isOpen && (
        <Loaded of={explained} lines={2}>
          {({ fingerprints, frames }) => (
            <ol class="frames">
              {fingerprints.map((explanation) => (
                <li key={explanation.fingerprint} class="place">
                  <code>{explanation.fingerprint.slice(0, 24)}</code> {explanationText(explanation, frames)}
                  {explanation.moved && <span class="soft">, moved here</span>}
                </li>
              ))}
            </ol>
          )}
        </Loaded>
      )}
    </details>
  );
};
