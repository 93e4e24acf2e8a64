import { useState } from "preact/hooks";
import { ApiProblem } from "../../../calls/problems.ts";
import { useAction } from "../../../calls/use-action.ts";
import { TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { BILLING, createWebhook, type NewWebhook, type Webhook } from "../calls.ts";
import type { PageProps } from "../page-frame.tsx";

interface WebhookFormProps extends PageProps {
  done(made: NewWebhook): void;
}

type Event = Webhook["events"][number];

const EVENTS: readonly (readonly [Event, string])[] = [
  ["billing.limit", "Limits"],
  ["billing.invoice", "Invoices"],
  ["billing.payment", "Payments"],
];

/** Has events of billing sent to an address. */
export const WebhookForm = ({ project, done }: WebhookFormProps) => {
  const action = useAction();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly Event[]>(EVENTS.map(([event]) => event));
  const isAtField = action.problem instanceof ApiProblem && action.problem.attr === "url";
  const save = async (event: globalThis.Event): Promise<void> => {
    event.preventDefault();
    const made = await action.run(createWebhook(project.id, url.trim(), events), BILLING);
    if (made === undefined) return;
    setUrl("");
    done(made);
  };
  return (
    <form class="plan-form" aria-label="New webhook" onSubmit={(event) => void save(event)}>
      <TextField
        label="Address that events are sent to"
        value={url}
        change={setUrl}
        placeholder="https://"
        autoComplete="off"
        problem={isAtField ? action.problem?.message : undefined}
      />
      <fieldset class="checks">
        <legend>Events</legend>
        {EVENTS.map(([event, title]) => (
          <label key={event} class="check">
            <input
              type="checkbox"
              checked={events.includes(event)}
              onChange={({ currentTarget: { checked } }) =>
                setEvents(EVENTS.map(([name]) => name).filter((name) => (name === event ? checked : events.includes(name))))
              }
            />{" "}
            {title}
          </label>
        ))}
      </fieldset>
      {action.problem && !isAtField && <Problem problem={action.problem} />}
      <div class="row">
        <button type="submit" disabled={action.running || url.trim() === "" || events.length === 0}>
          Add the webhook
        </button>
      </div>
    </form>
  );
};
