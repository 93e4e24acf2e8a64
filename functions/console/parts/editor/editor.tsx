import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { CodeMirror } from "./code-mirror.ts";
import type { Fault, Suggest } from "./suggestion.ts";

/** What else can be done with an editor. */
export interface EditorHandle {
  /** Writes in the place of what is selected. */
  insert(text: string): void;
  focus(): void;
}

interface EditorProps {
  readonly label: string;
  readonly text: string;
  /** Without it the text is only read. */
  change?(text: string): void;
  /** Ctrl or Command and Enter. */
  run?(): void;
  /** Escape; true where it meant something else than to leave the editor. */
  escape?(): boolean;
  readonly suggest?: Suggest;
  readonly faults?: readonly Fault[];
  readonly placeholder?: string;
  readonly handle?: Ref<EditorHandle>;
}

const NO_FAULTS: readonly Fault[] = [];

/** An editor of queries. Tab moves on, but takes a suggestion while a list of them is open. */
export const Editor = (props: EditorProps) => {
  const { label, text, change, faults = NO_FAULTS, placeholder = "", handle } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeMirror>(undefined);
  const [isOpen, setOpen] = useState(false);
  const latest = useRef(props);
  latest.current = props;
  const readOnly = change === undefined;

  useEffect(() => {
    let isGone = false;
    void import("./code-mirror.ts").then(({ openCodeMirror }) => {
      const { current } = place;
      if (isGone || !current) return;
      editor.current = openCodeMirror(current.shadowRoot ?? current.attachShadow({ mode: "open" }), {
        label,
        text: latest.current.text,
        placeholder,
        readOnly,
        changed: (value) => latest.current.change?.(value),
        run: () => latest.current.run?.(),
        leave: () => latest.current.escape?.() ?? false,
        suggest: async (value, at) => latest.current.suggest?.(value, at),
      });
      setOpen(true);
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
      setOpen(false);
    };
  }, [label, placeholder, readOnly]);
  // Before anything else can be typed: a text that comes later would undo what was typed since.
  useLayoutEffect(() => editor.current?.set(text), [text, isOpen]);
  useEffect(() => editor.current?.show(faults), [faults, isOpen]);
  useImperativeHandle(handle ?? null, () => ({
    insert: (value) => editor.current?.insert(value),
    focus: () => editor.current?.focus(),
  }));

  // The text stands there until the editor has come.
  return (
    <div class="editor">
      <div ref={place} class="editor-place" hidden={!isOpen} />
      {!isOpen && <pre class="editor-waiting">{text}</pre>}
    </div>
  );
};
