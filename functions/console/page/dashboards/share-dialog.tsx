import { useState } from "preact/hooks";
import { useAction } from "../../calls/use-action.ts";
import { useCall } from "../../calls/use-call.ts";
import { Code } from "../../parts/code/code.tsx";
import { ConfirmButton } from "../../parts/confirm/confirm.tsx";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { Loaded, Problem } from "../../parts/state/state.tsx";
import { Ago } from "../../parts/time/time.tsx";
import { type Dashboard, dashboardsPath, type Place, share, sharing, unshare } from "./calls.ts";

interface ShareDialogProps {
  readonly place: Place;
  readonly dashboard: Dashboard;
  close(): void;
}

/** Makes, replaces and ends the public link of a dashboard. */
export const ShareDialog = ({ place, dashboard: { tiles }, close }: ShareDialogProps) => {
  const asked = useCall(sharing(place), { freshMs: 0 });
  const action = useAction();
  const [url, setUrl] = useState<string>();
  const path = dashboardsPath(place.project_id);
  const make = async (): Promise<void> => setUrl((await action.run(share(place), path))?.url);
  const revoke = async (): Promise<void> => {
    await action.run(unshare(place), path);
    setUrl(undefined);
  };
  return (
    <Dialog title="Public link" close={close}>
      <p>
        Whoever has the link sees, without a key, the name, description, range and filters of this dashboard and the rows of its{" "}
        {tiles.length === 1 ? "tile" : `${tiles.length} tiles`} as they are at that time. Nothing else of the project, and no query’s text.
      </p>
      {action.problem && <Problem problem={action.problem} />}
      <Loaded of={asked} lines={2}>
        {({ enabled, created_at, created_by }) => (
          <>
            {url && enabled && (
              <>
                <Code text={url} label="The link. It is shown only now." />
                <a href={url} target="_blank" rel="noreferrer">
                  Open it
                </a>
              </>
            )}
            {enabled ? (
              <>
                <p class="soft">
                  There is a link
                  {created_at && (
                    <>
                      , made <Ago at={created_at} />
                    </>
                  )}
                  {created_by && ` by ${created_by.first_name || created_by.email}`}.
                  {!url && " It was shown when it was made; no copy of it is kept."}
                </p>
                <p class="dashboard-choice">
                  <ConfirmButton
                    title="Replace"
                    question="The link that there is ends at once."
                    disabled={action.running}
                    act={() => void make()}
                  />
                  <ConfirmButton
                    title="Revoke"
                    question="The link ends at once, and never opens anything again."
                    disabled={action.running}
                    act={() => void revoke()}
                  />
                </p>
              </>
            ) : (
              <p>
                <button type="button" class="primary" disabled={action.running} onClick={() => void make()}>
                  Make a link
                </button>
              </p>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  );
};
