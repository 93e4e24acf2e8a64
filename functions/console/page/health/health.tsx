import type { ComponentType } from "preact";
import type { Call } from "../../calls/client.ts";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { Empty, Refused } from "../../parts/state/state.tsx";
import { Tabs } from "../../parts/tabs/tabs.tsx";
import { Frame } from "../shell/frame.tsx";
import type { View, ViewProps } from "../view.ts";
import { listDomains, listMembers, listPersonalKeys, readHealth } from "./calls.ts";
import { Domains } from "./domains/domains.tsx";
import { Keys } from "./keys/keys.tsx";
import { Members } from "./members.tsx";
import { Now } from "./now/now.tsx";
import { shownTabs, useRights } from "./tabs.ts";
import { Types } from "./types/types.tsx";

interface Tab {
  readonly Content: ComponentType<ViewProps>;
  /** What a key needs to see it. */
  readonly scope: string;
  /** The call that fills it. */
  call(project: ReachedProject): Call<unknown>;
}

const TABS: Readonly<Record<string, Tab>> = {
  "": { Content: Now, scope: "project:read", call: ({ id }) => readHealth(id) },
  types: { Content: Types, scope: "project:read", call: ({ id }) => readHealth(id) },
  keys: { Content: Keys, scope: "personal_api_key:read", call: () => listPersonalKeys() },
  members: { Content: Members, scope: "organization_member:read", call: ({ organization_id }) => listMembers(organization_id, 0) },
  domains: { Content: Domains, scope: "organization:read", call: ({ organization_id }) => listDomains(organization_id) },
};

/** Whether all is stored, and what stands around a project: its types, keys, members and domains. */
export const view: View = (props) => {
  const { project, open } = props;
  const session = useSession();
  const rights = useRights(project);
  const name = open[0] ?? "";
  const tab = TABS[name];
  const shown = shownTabs(session, rights);
  const root = `project/${project.id}/health`;
  return (
    <Frame title="Health" call={tab?.call(project)}>
      <Tabs
        label="Health"
        tabs={shown.map((each) => ({ title: each.title, href: each.name ? `${root}/${each.name}` : root, current: each.name === name }))}
      />
      <div class="health">
        {tab === undefined ? (
          <Empty title="Nothing here has this address." />
        ) : shown.some((each) => each.name === name) ? (
          <tab.Content {...props} />
        ) : session.may(tab.scope) ? (
          <Empty title="A key of single projects does not see their organization.">
            <p>Sign in with a key that is not restricted to projects.</p>
          </Empty>
        ) : (
          <Refused scope={tab.scope} />
        )}
      </div>
    </Frame>
  );
};
