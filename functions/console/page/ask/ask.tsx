import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { keepDraft, keptDraft } from "../../calls/kept-drafts.ts";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useAction } from "../../calls/use-action.ts";
import type { EditorHandle } from "../../parts/editor/editor.tsx";
import type { Fault } from "../../parts/editor/suggestion.ts";
import { numberText } from "../../parts/number/number.tsx";
import type { Answer } from "../../parts/result/answer.ts";
import { RESULT_KINDS } from "../../parts/result/kinds.ts";
import { KindChoice, Result } from "../../parts/result/result.tsx";
import { Problem } from "../../parts/state/state.tsx";
import { Tabs } from "../../parts/tabs/tabs.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { useKeydown } from "../keydown.ts";
import { Frame } from "../shell/frame.tsx";
import type { View } from "../view.ts";
import { MOST_ROWS, runQuery } from "./calls.ts";
import { faultPlace } from "./fault-place.ts";
import { keepQuery, type PastQuery, pastQueries } from "./history.ts";
import { HistoryDialog } from "./history-dialog.tsx";
import { QUERY_KINDS, type QueryKind, queryKind } from "./kinds.ts";
import { SaveDialog } from "./save-dialog.tsx";
import { useVocabulary } from "./vocabulary.ts";
import { VocabularyList } from "./vocabulary-list.tsx";

/** Longer texts do not travel in the address: hosts refuse it. */
const LONGEST_IN_ADDRESS = 4_096;

/** An answer with what was asked, and how long it took. */
interface Ran {
  readonly text: string;
  readonly answer: Answer;
  readonly ms: number;
}

export const view: View = ({ project }) => {
  const kind = queryKind(useAddress().query.get("kind"));
  return <Question key={kind.name} project={project} kind={kind} />;
};

const Question = ({ project, kind }: { readonly project: ReachedProject; readonly kind: QueryKind }) => {
  const address = useAddress();
  const sent = address.query.get("q");
  const draft = `${project.id} ${kind.name}`;
  const { may } = useSession();
  const { running, problem, run: send, cancel, dismiss } = useAction();
  const vocabulary = useVocabulary(project.id);
  const [text, setText] = useState(() => sent ?? readText(draft) ?? kind.first);
  const [variables, setVariables] = useState<Readonly<Record<string, string>>>(() => addressVariables(address.query));
  const [ran, setRan] = useState<Ran>();
  const [asked, setAsked] = useState<string>();
  const [dialog, setDialog] = useState<"history" | "save">();
  const editor = useRef<EditorHandle>(null);
  const wide = useMemo(() => matchMedia("(min-width: 1000px)").matches, []);

  const query = useMemo(() => readQuery(kind, text, variables), [kind, text, variables]);
  const call = query && runQuery(project.id, query);

  const change = (changed: string): void => {
    setText(changed);
    keepDraft(draft, changed);
  };
  const run = async (what = text): Promise<void> => {
    const wanted = readQuery(kind, what, variables);
    if (wanted === undefined || running) return;
    setAsked(what);
    go(withQuery(address, { q: what.length > LONGEST_IN_ADDRESS ? undefined : what, ...addressOf(variables) }), { replace: sent === what });
    const started = performance.now();
    const answer = await send(runQuery(project.id, wanted));
    if (answer === undefined) return;
    setRan({ text: what, answer, ms: performance.now() - started });
    keepQuery(project.id, { kind: kind.name, text: what, at: Date.now() });
  };
  // A link, or the back button, brings a query that has not been asked here.
  useEffect(() => {
    if (sent === null || sent === asked) return;
    setText(sent);
    void run(sent);
  }, [sent]);
  useKeydown(({ key }) => {
    if (running && key === "Escape") cancel();
  });

  const faults = useMemo((): readonly Fault[] => {
    const fault = problem && asked === text ? faultPlace(problem.message) : undefined;
    return fault ? [fault] : [];
  }, [problem, asked, text]);
  const choose = (past: PastQuery): void => {
    setDialog(undefined);
    dismiss();
    keepDraft(`${project.id} ${past.kind}`, past.text);
    if (past.kind === kind.name) setText(past.text);
    else go(`project/${project.id}/ask?kind=${past.kind}`);
  };

  const shown = RESULT_KINDS.find(({ value }) => value === address.query.get("as"))?.value ?? "auto";
  return (
    <Frame
      title="Ask"
      call={call}
      actions={
        <>
          <button type="button" onClick={() => setDialog("history")}>
            History
          </button>
          {may("endpoint:write") && query && (
            <button type="button" onClick={() => setDialog("save")}>
              Save as endpoint
            </button>
          )}
        </>
      }
    >
      <Tabs
        label="Kind of query"
        tabs={QUERY_KINDS.map(({ name, title }) => ({
          title,
          href: `project/${project.id}/ask?kind=${name}`,
          current: name === kind.name,
        }))}
      />
      <div class={`ask ${kind.name}`}>
        {kind.name === "sql" && (
          <details class="ask-side" open={wide}>
            <summary>Names</summary>
            <VocabularyList project={project.id} vocabulary={vocabulary} insert={(name) => editor.current?.insert(name)} />
          </details>
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the fields within. */}
        <div
          class="ask-main"
          onKeyDown={(event) => {
            // The editor has run it already.
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !event.defaultPrevented) void run();
          }}
        >
          {query === undefined ? (
            <Problem problem={new Error("This is no query: its JSON cannot be read. Begin again with the tab of its kind.")} />
          ) : (
            <kind.form
              text={text}
              change={change}
              variables={variables}
              changeVariables={setVariables}
              vocabulary={vocabulary}
              faults={faults}
              run={() => void run()}
              cancel={() => {
                cancel();
                return running;
              }}
              editor={editor}
            />
          )}
          <div class="ask-run">
            {running ? (
              <button type="button" onClick={cancel}>
                Cancel
              </button>
            ) : (
              <button type="button" class="primary" disabled={query === undefined} onClick={() => void run()}>
                Run
              </button>
            )}
            <span class="note">Ctrl ⏎ or ⌘ ⏎</span>
            <p class="note" role="status">
              {running ? "Running; Escape cancels." : ran && summary(ran)}
            </p>
            {ran && (
              <KindChoice
                answer={ran.answer}
                kind={shown}
                change={(as) => go(withQuery(address, { as: as === "auto" ? undefined : as }), { replace: true })}
              />
            )}
          </div>
          {problem && <Problem problem={faults.length > 0 ? new Error(problem.message.split("\n")[0]) : problem} />}
          {ran && (
            <div class={running || problem ? "dimmed" : undefined}>
              <Result answer={ran.answer} kind={shown} label="Answer" height={320} />
            </div>
          )}
        </div>
      </div>
      {dialog === "history" && <HistoryDialog past={pastQueries(project.id)} choose={choose} close={() => setDialog(undefined)} />}
      {dialog === "save" && (
        <SaveDialog project={project.id} kind={kind} text={text} variables={variables} close={() => setDialog(undefined)} />
      )}
    </Frame>
  );
};

const readText = (draft: string): string | undefined => {
  const kept = keptDraft(draft);
  return typeof kept === "string" ? kept : undefined;
};

const readQuery = (kind: QueryKind, text: string, variables: Readonly<Record<string, string>>) => {
  try {
    return kind.query(text, variables);
  } catch {
    return undefined;
  }
};

/** Before the name of a variable in the address. */
const VARIABLE = "v.";

const addressVariables = (query: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...query].flatMap(([name, value]) => (name.startsWith(VARIABLE) ? [[name.slice(VARIABLE.length), value]] : [])));

const addressOf = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [VARIABLE + name, value]));

/** What came, in a line. */
const summary = ({ answer: { results, hasMore }, ms }: Ran): string => {
  const rows = `${numberText(results.length)} ${results.length === 1 ? "row" : "rows"} in ${numberText(Math.round(ms))} ms, from the events`;
  return hasMore ? `${rows}; cut at ${numberText(MOST_ROWS)}: narrow the query to see all.` : `${rows}.`;
};
