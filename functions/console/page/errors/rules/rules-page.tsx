import { useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Empty, Loaded, Problem } from "../../../parts/state/state.tsx";
import { Tabs } from "../../../parts/tabs/tabs.tsx";
import { type Address, go, useAddress, withQuery } from "../../address.ts";
import { type Assignees, useAssignees } from "../assignees.ts";
import { errorTrackingOf } from "../calls.ts";
import { titleOf } from "../status.tsx";
import { FiltersText } from "./filters-text.tsx";
import { isSwitchedOff, RULE_CALLS, type Rule, type RuleKind } from "./rule-calls.ts";
import { RuleForm } from "./rule-form.tsx";

interface Kind {
  readonly kind: RuleKind;
  readonly title: string;
  readonly about: string;
  readonly without: string;
}

const KINDS: readonly [Kind, ...Kind[]] = [
  {
    kind: "grouping",
    title: "Grouping",
    about: "Exceptions become one issue when the first rule that matches them is the same. Asked in this order, of every exception.",
    without: "Without one, exceptions of the same type and the same frames are one issue.",
  },
  {
    kind: "assignment",
    title: "Assignment",
    about:
      "An issue that nobody looks after, a new one or one that comes back, goes to the assignee of the first rule that its exception fulfils.",
    without: "Without one, a new issue belongs to nobody, unless a grouping rule made it that has an assignee.",
  },
  {
    kind: "severity",
    title: "Severity",
    about: "A new issue is as severe as the first rule says that its first exception fulfils.",
    without: "Without one, an issue has the severity that its first event brings, or none.",
  },
];

/** The kind of rules that an address names. */
export const readKind = ({ query }: Address): Kind => KINDS.find(({ kind }) => kind === query.get("kind")) ?? KINDS[0];

/** The rule that is being written: a new one, or the one with an id. */
const NEW = "new";

/** What decides which exceptions are one issue, and how severe it is. */
export const RulesPage = ({ project }: { readonly project: ReachedProject }) => {
  const { may } = useSession();
  const address = useAddress();
  const { kind, about, without } = readKind(address);
  const open = address.query.get("rule") ?? undefined;
  const rules = useCall(RULE_CALLS[kind].list(project.id));
  const assignees = useAssignees(project);
  const mayWrite = may("error_tracking:write");
  const edit = (rule: string | undefined): void => go(withQuery(address, { rule }));
  return (
    <>
      <Tabs
        label="Kinds of rules"
        tabs={KINDS.map((each) => ({
          title: each.title,
          href: withQuery(address, { kind: each.kind, rule: undefined }),
          current: each.kind === kind,
        }))}
      />
      <p class="soft">{about}</p>
      <Loaded of={rules} lines={4}>
        {({ results }) => (
          <>
            {results.length === 0 && open !== NEW && (
              <Empty title={`No ${kind} rule yet.`}>
                <p>{without}</p>
              </Empty>
            )}
            <ol class="rules">
              {results.map((rule, place) => (
                <li key={rule.id}>
                  {open === rule.id ? (
                    <RuleForm key={rule.id} project={project} kind={kind} rule={rule} close={() => edit(undefined)} />
                  ) : (
                    <RuleLine
                      project={project}
                      kind={kind}
                      rules={results}
                      place={place}
                      assignees={assignees}
                      edit={mayWrite ? () => edit(rule.id) : undefined}
                    />
                  )}
                </li>
              ))}
            </ol>
            {mayWrite &&
              (open === NEW ? (
                <RuleForm project={project} kind={kind} last={results.at(-1)} close={() => edit(undefined)} />
              ) : (
                <div class="choices">
                  <button type="button" onClick={() => edit(NEW)}>
                    New {kind} rule
                  </button>
                </div>
              ))}
          </>
        )}
      </Loaded>
    </>
  );
};

interface RuleLineProps {
  readonly project: ReachedProject;
  readonly kind: RuleKind;
  readonly rules: readonly Rule[];
  readonly place: number;
  readonly assignees: Assignees;
  /** Left out where the key may not. */
  readonly edit: (() => void) | undefined;
}

const RuleLine = ({ project, kind, rules, place, assignees, edit }: RuleLineProps) => {
  const action = useAction();
  const [isAsked, setAsked] = useState(false);
  const rule = rules[place];
  if (rule === undefined) return null;
  const changed = errorTrackingOf(project.id);
  const move = (to: number): void => {
    const order = rules.map(({ id }) => id);
    order.splice(to, 0, ...order.splice(place, 1));
    void action.run(RULE_CALLS[kind].reorder(project.id, Object.fromEntries(order.map((id, at) => [id, at]))), changed);
  };
  const name = `rule ${place + 1}`;
  const isOff = isSwitchedOff(rule);
  return (
    <div class="rule">
      <div class="rule-text">
        <p>
          <RuleSentence rule={rule} assignees={assignees} />
        </p>
        {"description" in rule && rule.description && <p class="soft">{rule.description}</p>}
        {"issue" in rule && rule.issue && (
          <p class="note">
            Made the issue <a href={`project/${project.id}/errors/${rule.issue.id}`}>{titleOf(rule.issue)}</a>.
          </p>
        )}
        {isOff && <p class="status suppressed">switched off</p>}
        {rule.disabled_data && !isOff && (
          <p class="problem">
            Out of force: {String(rule.disabled_data.message ?? "it failed")}. {edit && "Saving it puts it back in force."}
          </p>
        )}
        {action.problem && <Problem problem={action.problem} />}
      </div>
      {edit && (
        <div class="rule-actions">
          <button
            type="button"
            class="quiet"
            aria-label={`Move ${name} up`}
            disabled={place === 0 || action.running}
            onClick={() => move(place - 1)}
          >
            Up
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Move ${name} down`}
            disabled={place === rules.length - 1 || action.running}
            onClick={() => move(place + 1)}
          >
            Down
          </button>
          <button type="button" class="quiet" aria-label={`Edit ${name}`} onClick={edit}>
            Edit
          </button>
          <button
            type="button"
            class="quiet"
            aria-label={`Switch ${isOff ? "on" : "off"} ${name}`}
            disabled={action.running}
            onClick={() => void action.run(RULE_CALLS[kind].enable(project.id, rule.id, isOff), changed)}
          >
            {isOff ? "Switch on" : "Switch off"}
          </button>
          {isAsked ? (
            <>
              <button
                type="button"
                class="wrong"
                disabled={action.running}
                onClick={() => void action.run(RULE_CALLS[kind].remove(project.id, rule.id), changed)}
              >
                Delete for good
              </button>
              <button type="button" class="quiet" onClick={() => setAsked(false)}>
                Keep
              </button>
            </>
          ) : (
            <button type="button" class="quiet" aria-label={`Delete ${name}`} onClick={() => setAsked(true)}>
              Delete
            </button>
          )}
        </div>
      )}
    </div>
  );
};

const RuleSentence = ({ rule, assignees }: { readonly rule: Rule; readonly assignees: Assignees }) => (
  <>
    <FiltersText filters={rule.filters} />
    {" → "}
    {"severity" in rule && <span class={`severity ${rule.severity}`}>{rule.severity}</span>}
    {"issue" in rule && (rule.assignee ? "one issue, for " : "one issue")}
    {"assignee" in rule && rule.assignee && assignees.nameOf(rule.assignee)}
  </>
);
