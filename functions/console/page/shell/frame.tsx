import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Call, curl } from "../../calls/client.ts";
import { Code } from "../../parts/code/code.tsx";
import { Dialog } from "../../parts/dialog/dialog.tsx";

interface FrameProps {
  readonly title: string;
  /** Beside the title: what can be done, and the range. */
  readonly actions?: ComponentChildren;
  /** The call that fills the view. */
  readonly call?: Call<unknown> | undefined;
  readonly children?: ComponentChildren;
}

/** What surrounds every view: its title, what can be done, and the call behind it. */
export const Frame = ({ title, actions, call, children }: FrameProps) => {
  useEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);
  return (
    <main class="frame" id="main" tabIndex={-1}>
      <header class="frame-head">
        <h1>{title}</h1>
        <div class="frame-actions">{actions}</div>
      </header>
      {children}
      {call && <CurlCorner call={call} />}
    </main>
  );
};

const CurlCorner = ({ call }: { readonly call: Call<unknown> }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <footer class="frame-foot">
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        curl of this view
      </button>
      {isOpen && (
        <Dialog title="The call behind this view" close={() => setOpen(false)}>
          <Code text={curl(call)} label="curl" />
          <p class="note">
            Put your key into <code>KEY</code> first: <code>export KEY=phx_…</code>. All calls are described in the{" "}
            <a href="docs/" target="_blank" rel="noreferrer">
              API reference
            </a>
            .
          </p>
        </Dialog>
      )}
    </footer>
  );
};
