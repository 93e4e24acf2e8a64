import { useEffect, useState } from "preact/hooks";
import { ApiProblem } from "../../calls/problems.ts";
import type { ReachedProject } from "../../calls/session.ts";
import { useAction } from "../../calls/use-action.ts";
import { ConfirmButton } from "../../parts/confirm/confirm.tsx";
import { TextField } from "../../parts/field/field.tsx";
import { Problem } from "../../parts/state/state.tsx";
import { go, useAddress, withQuery } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import { change, type Dashboard, dashboardsPath, destroy, listPath } from "./calls.ts";
import { type Draft, draftOf, dropDraft, droppedDraft, forgetDraft, keepDraft, keptDraft, savedForm } from "./draft.ts";
import { EditedTiles } from "./edited-tiles.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { NO_ADDRESS_FILTERS } from "./filters.ts";

interface EditedDashboardProps {
  readonly project: ReachedProject;
  readonly dashboard: Dashboard;
  readonly refreshes: number;
  /** Where its draft is kept: with the person who makes it. */
  readonly draftName: string;
  /** Asks for the dashboard as it is now. */
  again(): void;
}

/** A dashboard to change: nothing is sent before it is saved. */
export const EditedDashboard = ({ project, dashboard, refreshes, draftName, again }: EditedDashboardProps) => {
  const { id } = dashboard;
  const address = useAddress();
  const save = useAction();
  const removal = useAction();
  const [, redraw] = useState({});
  const kept = keptDraft(draftName);
  const dropped = droppedDraft(draftName);
  const draft = kept ?? draftOf(dashboard);
  const place = { project_id: project.id, id };

  const put = (next: Draft): void => {
    keepDraft(draftName, next);
    redraw({});
  };
  const set = (changes: Partial<Draft>): void => put({ ...draft, ...changes });
  const leave = (): void => go(withQuery(address, { ...NO_ADDRESS_FILTERS, edit: undefined }));
  const discard = (): void => {
    dropDraft(draftName);
    leave();
  };
  const send = async (): Promise<void> => {
    if (!(await save.run(change(place, savedForm(draft)), dashboardsPath(project.id)))) return;
    forgetDraft(draftName);
    leave();
  };
  const loadNewer = (): void => {
    dropDraft(draftName);
    save.dismiss();
    again();
  };
  const remove = async (): Promise<void> => {
    if ((await removal.run(destroy(place), listPath(project.id))) === undefined) return;
    forgetDraft(draftName);
    go(`project/${project.id}/dashboards`, { replace: true });
  };

  const hasChanges = kept !== undefined;
  useEffect(() => {
    if (!hasChanges) return undefined;
    // The browser asks before the page with the changes is left.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [hasChanges]);

  const isOvertaken = save.problem instanceof ApiProblem && save.problem.status === 409;
  return (
    <Frame
      title={`Edit ${dashboard.name}`}
      actions={
        <>
          <button type="button" onClick={hasChanges ? discard : leave}>
            {hasChanges ? "Discard" : "Done"}
          </button>
          <button
            type="button"
            class="primary"
            disabled={!hasChanges || save.running || draft.name.trim() === ""}
            onClick={() => void send()}
          >
            Save
          </button>
        </>
      }
    >
      {save.problem && (
        <Problem problem={save.problem}>{isOvertaken && " Somebody saved it while you changed it. Your changes are still here."}</Problem>
      )}
      {isOvertaken && (
        <p>
          <button type="button" onClick={loadNewer}>
            Load the newer one
          </button>
        </p>
      )}
      {!hasChanges && dropped && (
        <p class="note" role="status">
          Your changes are put aside.
          <button type="button" class="quiet" onClick={() => put({ ...dropped, revision: dashboard.revision })}>
            Bring them back
          </button>
        </p>
      )}
      <div class="dashboard-settings">
        <TextField label="Name" value={draft.name} change={(name) => set({ name })} />
        <TextField label="Description" value={draft.description} change={(description) => set({ description })} />
        <label class="check">
          <input type="checkbox" checked={draft.pinned} onChange={({ currentTarget }) => set({ pinned: currentTarget.checked })} />
          Pinned: first in the list
        </label>
      </div>
      <FilterBar project={project} filters={draft.filters} change={(filters) => set({ filters })} mayClear />
      <EditedTiles
        project={project}
        tiles={draft.tiles}
        filters={draft.filters}
        refreshes={refreshes}
        change={(tiles) => set({ tiles: [...tiles] })}
      />
      <p>
        <ConfirmButton
          title="Delete the dashboard"
          question="Its public link ends as well; its endpoints stay."
          disabled={removal.running}
          act={() => void remove()}
        />
      </p>
      {removal.problem && <Problem problem={removal.problem} />}
    </Frame>
  );
};
