import { useState } from "preact/hooks";
import type { Call } from "../../calls/client.ts";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { type Action, useAction } from "../../calls/use-action.ts";
import { useCall } from "../../calls/use-call.ts";
import { ConfirmButton } from "../../parts/confirm/confirm.tsx";
import { Empty, Loaded, Problem } from "../../parts/state/state.tsx";
import { Tabs } from "../../parts/tabs/tabs.tsx";
import { type Address, go, useAddress } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import {
  change,
  description,
  destroy,
  type Endpoint,
  endpointsPath,
  listPath,
  logs,
  type Place,
  preview,
  retrieve,
  run,
  versions,
} from "./calls.ts";
import { DescriptionForm } from "./description-form.tsx";
import { Log, logFilter } from "./log/log.tsx";
import { Query } from "./query/query.tsx";
import { Run } from "./run/run.tsx";
import { runRequest } from "./run/run-request.ts";
import type { TabProps } from "./tab-props.ts";
import { MaterialisedTable } from "./table/materialised-table.tsx";
import { Use } from "./use/use.tsx";
import { kindWord } from "./words.ts";

interface Tab {
  readonly name: string;
  readonly title: string;
  View(props: TabProps): preact.JSX.Element;
  /** The call that fills it. */
  call(place: Place, address: Address): Call<unknown>;
}

const TABS: readonly [Tab, ...Tab[]] = [
  { name: "run", title: "Run", View: Run, call: (place, { query }) => run(place, runRequest(query)) },
  { name: "query", title: "Query", View: Query, call: (place) => versions(place, { limit: 100, offset: 0 }) },
  { name: "table", title: "Table", View: MaterialisedTable, call: preview },
  { name: "log", title: "Log", View: Log, call: (place, { query }) => logs(place, logFilter(query)) },
  { name: "use", title: "Use", View: Use, call: (place) => description(place) },
];

interface OneEndpointProps {
  readonly project: ReachedProject;
  readonly name: string;
  readonly tab: string | undefined;
}

/** How often a table that is being made is looked after. */
const LOOK_AGAIN_MS = 2_000;

/** One endpoint: its run, its query, its table, its log, and how programs use it. */
export const OneEndpoint = ({ project, name, tab }: OneEndpointProps) => {
  const address = useAddress();
  const place = { project_id: project.id, name };
  const asked = useCall(retrieve(place));
  const isUnderWay = WAITING.has(asked.data?.materialization.status ?? "");
  useCall(isUnderWay ? retrieve(place) : undefined, { everyMs: LOOK_AGAIN_MS });
  const action = useAction();
  const current = tab === undefined ? TABS[0] : TABS.find((each) => each.name === tab);
  const base = `project/${project.id}/endpoints/${encodeURIComponent(name)}`;
  return (
    <Frame
      title={name}
      call={current?.call(place, address)}
      actions={asked.data && <Actions place={place} endpoint={asked.data} action={action} />}
    >
      {action.problem && <Problem problem={action.problem} />}
      <Loaded of={asked} lines={10}>
        {(endpoint) => (
          <>
            <About place={place} endpoint={endpoint} />
            <Tabs
              label="Parts of the endpoint"
              tabs={TABS.map((each) => ({ title: each.title, href: `${base}/${each.name}`, current: each === current }))}
            />
            {current === undefined ? <Empty title="An endpoint has no such part." /> : <current.View place={place} endpoint={endpoint} />}
          </>
        )}
      </Loaded>
    </Frame>
  );
};

const WAITING: ReadonlySet<string> = new Set(["Unknown", "Running", "Modified"]);

/** What the endpoint is for, and what it is, in one line. */
const About = ({ place, endpoint }: { readonly place: Place; readonly endpoint: Endpoint }) => {
  const { may } = useSession();
  const [isEdited, setEdited] = useState(false);
  const { description: text, query, tags, is_active, current_version } = endpoint;
  if (isEdited) return <DescriptionForm place={place} endpoint={endpoint} close={() => setEdited(false)} />;
  const facts = [is_active ? "active" : "inactive", kindWord(query), `version ${current_version}`, ...tags.map((tag) => `#${tag}`)];
  return (
    <div class="endpoint-about">
      <p>{text || <span class="soft">No description.</span>}</p>
      <p class="note">
        {facts.join(" · ")}
        {may("endpoint:write") && (
          <button type="button" class="quiet" onClick={() => setEdited(true)}>
            Edit description and tags
          </button>
        )}
      </p>
    </div>
  );
};

interface ActionsProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly action: Action;
}

const Actions = ({ place, endpoint, action }: ActionsProps) => {
  const { may } = useSession();
  if (!may("endpoint:write")) return null;
  const { is_active, is_materialized } = endpoint;
  const toggle = () => void action.run(change(place, { is_active: !is_active }), endpointsPath(place.project_id));
  const drop = async (): Promise<void> => {
    // Lists alone are asked for anew: whoever asked for the endpoint itself would be told that it is gone.
    const done = await action.run(destroy(place), listPath(place.project_id));
    if (done === null) go(`project/${place.project_id}/endpoints`, { replace: true });
  };
  return (
    <>
      {is_active && is_materialized ? (
        <ConfirmButton title="Deactivate" question="Its tables go, too. Deactivate it?" disabled={action.running} act={toggle} />
      ) : (
        <button type="button" disabled={action.running} onClick={toggle}>
          {is_active ? "Deactivate" : "Activate"}
        </button>
      )}
      <ConfirmButton
        title="Delete"
        question="Delete it with all versions? Calls will be answered 404."
        disabled={action.running}
        act={() => void drop()}
      />
    </>
  );
};
