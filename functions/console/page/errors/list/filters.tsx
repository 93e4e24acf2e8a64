import { useEffect, useRef, useState } from "preact/hooks";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { go, useAddress } from "../../address.ts";
import { type Assignees, NOBODY } from "../assignees.ts";
import { ANY } from "../calls.ts";
import { SEVERITIES } from "../status.tsx";
import { type Choice, RANGES, type STANDARD, withFilter } from "./choice.ts";

const ALL = { value: ANY, title: "Any" };
const STATUS_CHOICES = [
  ALL,
  ...["active", "resolved", "suppressed", "archived", "pending_release"].map((value) => ({ value, title: value.replace("_", " ") })),
];
const SEVERITY_CHOICES = [ALL, ...SEVERITIES.map((value) => ({ value, title: value })), { value: "none", title: "none" }];

/** Between the last letter that is typed and the search for it. */
const PAUSE_MS = 250;

interface FiltersProps {
  readonly choice: Choice;
  readonly assignees: Assignees;
}

/** What issues are filtered by. */
export const Filters = ({ choice, assignees }: FiltersProps) => {
  const address = useAddress();
  const set = (name: keyof typeof STANDARD, value: string): void => go(withFilter(address, name, value), { replace: true });
  const [draft, setDraft] = useState(choice.text);
  const sent = useRef(choice.text);
  useEffect(() => {
    // What was typed since it was sent stays.
    if (choice.text !== sent.current) setDraft(choice.text);
    sent.current = choice.text;
  }, [choice.text]);
  useEffect(() => {
    if (draft === choice.text) return undefined;
    const timer = setTimeout(() => {
      sent.current = draft;
      set("text", draft);
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  return (
    <div class="issue-filters">
      <TextField label="Type or message" type="search" value={draft} change={setDraft} />
      <ChoiceField label="Status" value={choice.status} options={STATUS_CHOICES} change={(value) => set("status", value)} />
      <ChoiceField label="Severity" value={choice.severity} options={SEVERITY_CHOICES} change={(value) => set("severity", value)} />
      <ChoiceField
        label="Assignee"
        value={choice.assignee}
        options={[{ value: ANY, title: "Anybody" }, { value: NOBODY, title: "Nobody" }, ...assignees.choices]}
        change={(value) => set("assignee", value)}
      />
      <ChoiceField label="Seen in" value={choice.seen} options={RANGES} change={(value) => set("seen", value)} />
    </div>
  );
};
