import { useRef, useState } from "preact/hooks";
import type { ReachedProject } from "../../calls/session.ts";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { go } from "../address.ts";
import { useKeydown } from "../keydown.ts";
import { isTyping } from "../typing.ts";
import type { VIEWS } from "../views.ts";

/** How long after `g` the key of a view counts. */
const SECOND_KEY_MS = 1_500;

interface KeysProps {
  readonly project: ReachedProject | undefined;
  readonly views: typeof VIEWS;
}

/** The keyboard: `g` and a letter goes to a view, `?` and this button show all keys. */
export const Keys = ({ project, views }: KeysProps) => {
  const [isOpen, setOpen] = useState(false);
  const goneAt = useRef(0);
  const pressed = (event: KeyboardEvent): void => {
    if (isTyping(event)) return;
    const view = views.find(({ key }) => key === event.key);
    if (view && project && Date.now() - goneAt.current < SECOND_KEY_MS) {
      event.stopImmediatePropagation();
      go(`project/${project.id}/${view.name}`);
    }
    goneAt.current = event.key === "g" ? Date.now() : 0;
    if (event.key === "?") setOpen(true);
  };
  // Before the views: the letter behind `g` is no command of theirs.
  useKeydown(pressed, { capture: true });
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        <kbd>?</kbd> Keys
      </button>
      {isOpen && <KeysDialog views={views} close={() => setOpen(false)} />}
    </>
  );
};

const KeysDialog = ({ views, close }: Pick<KeysProps, "views"> & { close(): void }) => (
  <Dialog title="Keys" close={close}>
    <dl class="keys">
      {views.map(({ name, title, key }) => (
        <div key={name}>
          <dt>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </dt>
          <dd>{title}</dd>
        </div>
      ))}
      {OTHER_KEYS.map(([keys, does]) => (
        <div key={does}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
);

const OTHER_KEYS = [
  ["/", "Search"],
  ["?", "These keys"],
  ["Esc", "Close, or cancel a query"],
  ["Ctrl ⏎ or ⌘ ⏎", "Run the query (Ask)"],
  ["Space", "Pause (Live)"],
  ["j, k", "Next, previous issue (Errors)"],
  ["e", "Resolve the issue (Errors)"],
  ["i", "Suppress the issue: ignore it from now on (Errors)"],
  ["x", "Choose the issue (Errors)"],
  ["m", "Merge issues (Errors)"],
] as const;
