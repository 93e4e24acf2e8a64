import { Dialog } from "../../parts/dialog/dialog.tsx";
import { Ago } from "../../parts/time/time.tsx";
import type { PastQuery } from "./history.ts";
import { queryKind } from "./kinds.ts";

interface HistoryDialogProps {
  readonly past: readonly PastQuery[];
  choose(query: PastQuery): void;
  close(): void;
}

/** The queries that were run here; a press puts one into the editor. */
export const HistoryDialog = ({ past, choose, close }: HistoryDialogProps) => (
  <Dialog title="Queries that were run" close={close}>
    <p class="note">They are kept on this device alone, and forgotten when you sign out.</p>
    {past.length === 0 && <p>None was run so far.</p>}
    <ul class="ask-past">
      {past.map((query) => (
        <li key={query.at}>
          <button type="button" onClick={() => choose(query)}>
            <code>{query.text}</code>
            <span class="note">
              {queryKind(query.kind).title}, <Ago at={query.at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  </Dialog>
);
