import { useMemo } from "preact/hooks";
import { ChoiceField } from "../field/field.tsx";
import { BigNumber } from "../number/number.tsx";
import { Plot } from "../plot/plot.tsx";
import { type Answer, answerRows } from "./answer.ts";
import { HeatMap } from "./heat-map.tsx";
import { possibleKinds, RESULT_KINDS, type ResultKind, shownKind, singleNumber } from "./kinds.ts";
import { plotColumns } from "./plot-columns.ts";
import { ResultTable } from "./result-table.tsx";

interface ResultProps {
  readonly answer: Answer;
  readonly kind: ResultKind;
  /** What was asked, for readers of screens and as the name of files. */
  readonly label: string;
  /** Of a plot, in pixels. */
  readonly height?: number;
  /** The content alone, without what can be done with it. */
  readonly compact?: boolean;
}

/** The answer of a query or a run, drawn as its types suggest or as somebody wishes. */
export const Result = ({ answer, kind, label, height, compact = false }: ResultProps) => {
  const shown = useMemo(() => shownKind(answer, kind), [answer, kind]);
  const data = useMemo(() => plotColumns(answer), [answer]);
  if (answer.results.length === 0) return <p class="soft">The query gave no rows.</p>;
  if (shown === "number") return <BigNumber {...(singleNumber(answer) ?? { value: undefined, label })} />;
  if (shown === "table" || data === undefined) return <ResultTable answer={answer} label={label} compact={compact} />;
  if (shown === "heat_map") {
    const rows = answerRows(answer);
    return rows.form === "retention" ? <HeatMap rows={rows.rows} label={label} /> : null;
  }
  return (
    <Plot
      data={data}
      kind={shown}
      stacked={shown === "area" || (shown === "bar" && data.x.kind === "time")}
      label={label}
      compact={compact}
      {...(height && { height })}
    />
  );
};

interface KindChoiceProps {
  readonly answer: Answer;
  readonly kind: ResultKind;
  change(kind: ResultKind): void;
}

/** The kinds that an answer can be shown as. */
export const KindChoice = ({ answer, kind, change }: KindChoiceProps) => {
  const possible = useMemo(() => possibleKinds(answer), [answer]);
  const options = RESULT_KINDS.filter(({ value }) => possible.includes(value));
  return (
    <ChoiceField
      label="Show as"
      value={possible.includes(kind) ? kind : "auto"}
      options={options}
      change={(value) => change(options.find((option) => option.value === value)?.value ?? "auto")}
    />
  );
};
