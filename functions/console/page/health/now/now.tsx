import { useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Loaded } from "../../../parts/state/state.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import type { ViewProps } from "../../view.ts";
import { readHealth } from "../calls.ts";
import { useRights } from "../tabs.ts";
import { Jobs } from "./jobs.tsx";
import { Lanes } from "./lanes.tsx";
import { Storage } from "./storage.tsx";

const EVERY_MS = 10_000;

/** Whether all is stored, and what waits or fails where it is not. */
export const Now = ({ project }: ViewProps) => {
  const { may } = useSession();
  const { admin } = useRights(project);
  const asked = useCall(readHealth(project.id), { freshMs: EVERY_MS / 2, everyMs: EVERY_MS });
  return (
    <Loaded of={asked} lines={14}>
      {({ status, summary, lanes, storage, jobs, misfits }) => (
        <>
          <div class={`health-verdict ${status}`}>
            <p role="status">{summary}</p>
            <p class="note">Looked at {asked.at !== undefined && <Ago at={asked.at} />}, and again every 10 seconds.</p>
          </div>
          <Lanes project={project.id} lanes={lanes} mayRedrive={admin && may("project:write")} />
          <div class="health-columns">
            <Storage storage={storage} />
            <section>
              <h2>Types</h2>
              {misfits.length === 0 ? (
                <p class="soft">All values fit the types of their properties.</p>
              ) : (
                <p>
                  <a href={`project/${project.id}/health/types`}>
                    {misfits.length === 1 ? "1 property has" : `${misfits.length} properties have`} values that do not fit
                  </a>
                </p>
              )}
            </section>
          </div>
          <Jobs jobs={jobs} />
        </>
      )}
    </Loaded>
  );
};
