import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  completionStatus,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { SQLDialect } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { KEYWORDS } from "./keywords.ts";
import type { Fault, Suggest, Suggestion } from "./suggestion.ts";

interface Settings {
  readonly label: string;
  readonly text: string;
  readonly placeholder: string;
  readonly readOnly: boolean;
  changed(text: string): void;
  run(): void;
  /** Escape was pressed; true where that meant something else than to leave. */
  leave(): boolean;
  readonly suggest: Suggest;
}

export interface CodeMirror {
  set(text: string): void;
  show(faults: readonly Fault[]): void;
  /** Writes in the place of what is selected. */
  insert(text: string): void;
  focus(): void;
  destroy(): void;
}

/** An editor of the query language within a shadow tree: there its styles are adopted sheets, which the page's policy lets pass. */
export const openCodeMirror = (root: ShadowRoot, settings: Settings): CodeMirror => {
  const view = new EditorView({ root, parent: root, state: EditorState.create({ doc: settings.text, extensions: extensions(settings) }) });
  return {
    set: (text) => {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    show: (faults) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          faults.map((fault) => diagnostic(view.state, fault)),
        ),
      ),
    insert: (text) => {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
};

const HOGQL = SQLDialect.define({
  keywords: KEYWORDS.join(" ").toLowerCase(),
  types: "string uuid date datetime datetime64 bool decimal float float64 int int8 int16 int32 int64 uint8 uint16 uint32 uint64",
  backslashEscapes: true,
  identifierQuotes: '"`',
  caseInsensitiveIdentifiers: true,
  operatorChars: "*+-%<>!=&|~^/?:",
});

const extensions = ({ label, placeholder: hint, readOnly, changed, run, leave, suggest }: Settings): Extension => [
  HOGQL,
  syntaxHighlighting(COLOURS),
  THEME,
  lineNumbers(),
  EditorView.lineWrapping,
  bracketMatching(),
  EditorView.contentAttributes.of({ "aria-label": label, ...(readOnly && { "aria-readonly": "true" }) }),
  EditorState.readOnly.of(readOnly),
  placeholder(hint),
  history(),
  closeBrackets(),
  autocompletion({ override: [(context) => completions(context, suggest)], icons: false, activateOnTyping: true, interactionDelay: 0 }),
  Prec.highest(
    keymap.of([
      {
        key: "Mod-Enter",
        run: () => {
          run();
          return true;
        },
      },
      { key: "Tab", run: acceptCompletion },
    ]),
  ),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    { key: "Escape", run: (view) => left(view, leave) },
    ...defaultKeymap,
    ...historyKeymap,
  ]),
  EditorView.domEventHandlers({ beforeinput: replaced }),
  EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) changed(state.doc.toString());
  }),
];

/** Typing over a selection: left to the browser, that would write the style of what was there into the page, which the policy forbids. */
const replaced = (event: InputEvent, view: EditorView): boolean => {
  const { data, inputType } = event;
  if (inputType !== "insertText" || data === null || view.state.readOnly || view.state.selection.main.empty) return false;
  event.preventDefault();
  view.dispatch(view.state.replaceSelection(data), { userEvent: "input.type" });
  return true;
};

/** Tab moves on anyway; Escape leaves as well, for those who are used to that, unless it closes or ends something. */
const left = (view: EditorView, leave: () => boolean): boolean => {
  if (completionStatus(view.state) !== null) return false;
  if (!leave()) view.contentDOM.blur();
  return true;
};

const completions = async (context: CompletionContext, suggest: Suggest) => {
  const found = await suggest(context.state.doc.toString(), context.pos);
  if (found === undefined || (found.from === context.pos && !context.explicit && !/[.'{]$/.test(context.state.sliceDoc(0, context.pos))))
    return null;
  return { from: found.from, options: found.options.map(completion), validFor: /^[\w$]*$/ };
};

const completion = ({ label, detail, text, rank }: Suggestion): Completion => ({
  label,
  // Read aloud, the two are words apart.
  ...(detail !== undefined && { detail: ` ${detail}` }),
  ...(rank !== undefined && { boost: rank }),
  ...(text !== undefined && {
    apply: (view: EditorView, _: Completion, from: number, to: number) => {
      const [before = "", after = ""] = text.split("|");
      view.dispatch({ changes: { from, to, insert: before + after }, selection: { anchor: from + before.length } });
    },
  }),
});

/** A fault is underlined up to the end of the word that begins there. */
const diagnostic = (state: EditorState, { line, column, sentence }: Fault): Diagnostic => {
  const { from: start, to: end, text } = state.doc.line(Math.min(Math.max(1, line), state.doc.lines));
  const from = Math.min(start + column - 1, end);
  const length = /^[\w$.]+|^./.exec(text.slice(from - start))?.[0].length ?? 0;
  return length > 0
    ? { from, to: from + length, severity: "error", message: sentence }
    : { from: Math.max(start, from - 1), to: from, severity: "error", message: sentence };
};

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--series-4)" },
  { tag: tags.special(tags.string), color: "inherit" },
  { tag: tags.string, color: "var(--series-3)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--series-2)" },
  { tag: tags.typeName, color: "var(--series-8)" },
  { tag: [tags.lineComment, tags.blockComment], color: "var(--soft)", fontStyle: "italic" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--ground)", height: "100%", fontSize: "14px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--ground)", color: "var(--soft)", border: "0" },
  ".cm-placeholder": { color: "var(--soft)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--sunk)", outline: "1px solid var(--edge)" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--wrong)", textUnderlineOffset: "3px" },
  ".cm-tooltip": {
    backgroundColor: "var(--ground)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    boxShadow: "var(--float)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: "12px", maxHeight: "240px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "4px 8px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: "0.8" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--wrong)", maxWidth: "60ch", whiteSpace: "pre-wrap" },
});
