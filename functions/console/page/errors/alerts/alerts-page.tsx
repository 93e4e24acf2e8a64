import { useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { CopyButton } from "../../../parts/copy/copy.tsx";
import { Empty, Loaded, Problem } from "../../../parts/state/state.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { type Assignees, useAssignees } from "../assignees.ts";
import { errorTrackingOf } from "../calls.ts";
import { FiltersText } from "../rules/filters-text.tsx";
import { type AlertRule, type AlertTest, deleteAlert, listAlerts, testAlert, updateAlert } from "./alert-calls.ts";
import { AlertForm } from "./alert-form.tsx";
import { channelText, triggerText } from "./words.ts";

/** The alert that is being written: a new one, or the one with an id. */
const NEW = "new";

/** What people are told of, and where. */
export const AlertsPage = ({ project }: { readonly project: ReachedProject }) => {
  const { may } = useSession();
  const address = useAddress();
  const open = address.query.get("alert") ?? undefined;
  const alerts = useCall(listAlerts(project.id));
  const assignees = useAssignees(project);
  const [secret, setSecret] = useState<string>();
  const mayWrite = may("error_tracking:write");
  const edit = (alert: string | undefined): void => go(withQuery(address, { alert }));
  return (
    <>
      <p class="soft">Alerts tell people and programs of issues as exceptions come.</p>
      {secret && <NewSecret secret={secret} hide={() => setSecret(undefined)} />}
      <Loaded of={alerts} lines={4}>
        {({ results }) => (
          <>
            {results.length === 0 && open !== NEW && (
              <Empty title="Nobody is told yet.">
                <p>An alert sends a letter, calls a webhook or writes into Slack when an issue is new, comes back, or spikes.</p>
              </Empty>
            )}
            <ul class="rules">
              {results.map((alert) => (
                <li key={alert.id}>
                  {open === alert.id && mayWrite ? (
                    <AlertForm project={project} alert={alert} done={() => edit(undefined)} cancel={() => edit(undefined)} />
                  ) : (
                    <AlertLine project={project} alert={alert} assignees={assignees} edit={mayWrite ? () => edit(alert.id) : undefined} />
                  )}
                </li>
              ))}
            </ul>
            {mayWrite &&
              (open === NEW ? (
                <AlertForm
                  project={project}
                  done={(made) => {
                    setSecret(made);
                    edit(undefined);
                  }}
                  cancel={() => edit(undefined)}
                />
              ) : (
                <div class="choices">
                  <button type="button" onClick={() => edit(NEW)}>
                    New alert
                  </button>
                </div>
              ))}
          </>
        )}
      </Loaded>
    </>
  );
};

const NewSecret = ({ secret, hide }: { readonly secret: string; hide(): void }) => (
  <section class="new-secret" aria-label="New secret">
    <p>What its webhooks send is signed with this secret. It is not shown again: copy it now.</p>
    <p class="choices">
      <code>{secret}</code>
      <CopyButton text={secret} />
      <button type="button" class="quiet" onClick={hide}>
        Hide it
      </button>
    </p>
  </section>
);

interface AlertLineProps {
  readonly project: ReachedProject;
  readonly alert: AlertRule;
  readonly assignees: Assignees;
  /** Left out where the key may not. */
  readonly edit: (() => void) | undefined;
}

const AlertLine = ({ project, alert, assignees, edit }: AlertLineProps) => {
  const action = useAction();
  const { id, name, filters, channels, enabled, last_triggered_at, last_error } = alert;
  const changed = errorTrackingOf(project.id);
  const [tested, setTested] = useState<AlertTest>();
  const test = async (): Promise<void> => {
    setTested(undefined);
    setTested(await action.run(testAlert(project.id, id), changed));
  };
  return (
    <div class="rule">
      <div class="rule-text">
        <p>
          <strong>{name}</strong> {!enabled && <span class="status suppressed">switched off</span>}
        </p>
        <p>
          {triggerText(alert)} → {channels.map((channel) => channelText(channel, assignees)).join(", ")}
        </p>
        {filters && (
          <p>
            <span class="soft">where</span> <FiltersText filters={filters} />
          </p>
        )}
        <p class="note">
          {last_triggered_at ? (
            <>
              Told last <Ago at={last_triggered_at} />.
            </>
          ) : (
            "Nothing was told yet."
          )}
        </p>
        {last_error && !tested && <p class="problem">The last time it did not arrive: {last_error}</p>}
        <div role="status">
          {tested &&
            (tested.success ? <p>The test went to all of its channels.</p> : <p class="problem">The test failed: {tested.error}</p>)}
        </div>
        {action.problem && <Problem problem={action.problem} />}
      </div>
      {edit && (
        <div class="rule-actions">
          <button type="button" class="quiet" aria-label={`Test ${name}`} disabled={action.running} onClick={() => void test()}>
            Test
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Switch ${enabled ? "off" : "on"} ${name}`}
            disabled={action.running}
            onClick={() => void action.run(updateAlert(project.id, id, { enabled: !enabled }), changed)}
          >
            {enabled ? "Switch off" : "Switch on"}
          </button>
          <button type="button" class="quiet" aria-label={`Edit ${name}`} onClick={edit}>
            Edit
          </button>
          <ConfirmButton
            title="Delete"
            label={`Delete ${name}`}
            question="Nothing more is told by it. Delete it?"
            disabled={action.running}
            act={() => void action.run(deleteAlert(project.id, id), changed)}
          />
        </div>
      )}
    </div>
  );
};
