import { useEffect, useState } from "preact/hooks";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import type { Endpoint } from "../calls.ts";
import type { RunProblems } from "./run-problems.ts";
import { runRequest, runValues, VARIABLE, valuesInAddress } from "./run-request.ts";
import { fieldText, fieldValue, isSent, type Variable } from "./variables.ts";

interface RunFormProps {
  /** The version that is run. */
  readonly endpoint: Endpoint;
  /** How many versions there are. */
  readonly versions: number;
  readonly variables: readonly Variable[];
  readonly problems: RunProblems["byField"];
  /** Runs with these changes of the address. */
  run(changes: Readonly<Record<string, string | undefined>>): void;
}

/** The variables of a run as fields, and how it is run. */
export const RunForm = ({ endpoint, versions, variables, problems, run }: RunFormProps) => {
  const address = useAddress();
  const { query } = address;
  // What was typed since the last run, by the names that the address has for it.
  const [edits, setEdits] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => setEdits({}), [JSON.stringify(runRequest(query))]);
  const edit = (name: string) => (text: string) => setEdits((before) => ({ ...before, [name]: text }));
  const sent = runValues(query);
  const variableText = (variable: Variable): string =>
    edits[VARIABLE + variable.name] ?? fieldText(variable, sent[variable.name] ?? variable.default);
  const text = (name: string): string => edits[name] ?? query.get(name) ?? "";
  const isSql = endpoint.query?.kind === "HogQLQuery";

  const values = (): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      variables.map((each) => {
        const value = fieldValue(each, variableText(each));
        return [each.name, isSent(each, value) ? value : undefined];
      }),
    );

  return (
    <form
      class="endpoint-run-form"
      onSubmit={(event) => {
        event.preventDefault();
        run({ ...valuesInAddress(values()), limit: text("limit"), offset: text("offset"), refresh: text("refresh") });
      }}
    >
      {variables.map((each) => (
        <VariableField
          key={each.name}
          variable={each}
          isRefused={each.required && endpoint.is_materialized}
          absence={isSql ? "Left out, it is NULL." : "Left out, all rows are given."}
          text={variableText(each)}
          problem={problems[each.name]}
          change={edit(VARIABLE + each.name)}
        />
      ))}
      {variables.length === 0 && <p class="soft">It has no variables.</p>}
      <ChoiceField
        label="Version"
        value={query.get("version") ?? ""}
        options={versionOptions(versions)}
        change={(version) => go(withQuery(address, { version, run: undefined }), { replace: true })}
      />
      {isSql && (
        <div class="endpoint-pair">
          <TextField label="Limit" type="number" placeholder="100" value={text("limit")} change={edit("limit")} problem={problems.limit} />
          <TextField
            label="Offset"
            type="number"
            placeholder="0"
            value={text("offset")}
            change={edit("offset")}
            problem={problems.offset}
          />
        </div>
      )}
      <ChoiceField
        label="Refresh"
        value={text("refresh")}
        options={endpoint.materialization.enabled ? REFRESH : LIVE_REFRESH}
        change={edit("refresh")}
      />
      <button type="submit" class="primary">
        Run
      </button>
    </form>
  );
};

const LIVE_REFRESH = [
  { value: "", title: "cache: fresh enough" },
  { value: "force", title: "force: computed now" },
];
const REFRESH = [...LIVE_REFRESH, { value: "direct", title: "direct: from the events" }];

const versionOptions = (versions: number) => [
  { value: "", title: `Newest (${versions})` },
  ...Array.from({ length: versions }, (_, place) => String(versions - place)).map((value) => ({ value, title: value })),
];

interface VariableFieldProps {
  readonly variable: Variable;
  /** Whether a run without it is. */
  readonly isRefused: boolean;
  /** What a run without it does, where it has no default. */
  readonly absence: string;
  readonly text: string;
  readonly problem: string | undefined;
  change(text: string): void;
}

const VariableField = ({ variable, isRefused, absence, text, problem, change }: VariableFieldProps) => {
  const { name, type, default: usual } = variable;
  const isOptional = usual === undefined && !isRefused;
  const hint = [variable.hint ?? HINTS[type], isOptional && !variable.hint && absence].filter(Boolean).join(" ") || undefined;
  const label = isRefused ? `${name} (required)` : name;
  const shared = { label, value: text, change, problem };
  if (type === "boolean") return <ChoiceField {...shared} options={BOOLEANS} hint={hint} />;
  if (type === "number") return <TextField {...shared} type="number" hint={hint} />;
  return <TextField {...shared} hint={hint} />;
};

const HINTS: Partial<Readonly<Record<Variable["type"], string>>> = {
  array: 'As JSON: ["a", "b"].',
  any: 'As JSON, or as plain text: 5 is a number, "5" a text.',
};

const BOOLEANS = [
  { value: "", title: "–" },
  { value: "true", title: "true" },
  { value: "false", title: "false" },
];
