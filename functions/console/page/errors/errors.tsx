import type { Call } from "../../calls/client.ts";
import { Tabs } from "../../parts/tabs/tabs.tsx";
import { type Address, useAddress } from "../address.ts";
import { Frame } from "../shell/frame.tsx";
import type { View } from "../view.ts";
import { listAlerts } from "./alerts/alert-calls.ts";
import { AlertsPage } from "./alerts/alerts-page.tsx";
import { listIssues, listReleases, listSpikes, listSymbolSets, PAGE, retrieveRelease } from "./calls.ts";
import { IssuePage } from "./issue/issue-page.tsx";
import { issueQuery, readChoice } from "./list/choice.ts";
import { IssueList } from "./list/issue-list.tsx";
import { readPage } from "./pager.tsx";
import { ReleaseList, ReleasePage } from "./releases/releases.tsx";
import { RULE_CALLS } from "./rules/rule-calls.ts";
import { RulesPage, readKind } from "./rules/rules-page.tsx";
import { SpikesPage } from "./spikes.tsx";
import { SymbolSets } from "./symbol-sets/symbol-sets.tsx";

const TABS = [
  ["issues", "Issues"],
  ["releases", "Releases"],
  ["symbol-sets", "Symbol sets"],
  ["spikes", "Spikes"],
  ["rules", "Rules"],
  ["alerts", "Alerts"],
] as const;

/** The call that fills a tab, with what is open in it. */
const callOf = (tab: (typeof TABS)[number][0], project: number, address: Address, open: string | undefined): Call<unknown> => {
  const offset = (readPage(address) - 1) * PAGE;
  switch (tab) {
    case "issues":
      return listIssues(project, issueQuery(readChoice(address)));
    case "releases":
      return open === undefined ? listReleases(project, offset) : retrieveRelease(project, open);
    case "symbol-sets":
      return listSymbolSets(project, offset);
    case "spikes":
      return listSpikes(project, offset);
    case "rules":
      return RULE_CALLS[readKind(address).kind].list(project);
    case "alerts":
      return listAlerts(project);
  }
};

/** Issues, and beside them what they come from and what decides of them. One issue has a page of its own. */
export const view: View = ({ project, open: [first = "issues", second] }) => {
  const place = `project/${project.id}/errors`;
  const address = useAddress();
  const tab = TABS.find(([name]) => name === first)?.[0];
  if (tab === undefined) return <IssuePage project={project} id={first} />;
  return (
    <Frame title="Errors" call={callOf(tab, project.id, address, second)}>
      <Tabs
        label="Errors"
        tabs={TABS.map(([name, title]) => ({ title, href: name === "issues" ? place : `${place}/${name}`, current: name === tab }))}
      />
      {tab === "issues" && <IssueList project={project} />}
      {tab === "releases" && (second === undefined ? <ReleaseList project={project} /> : <ReleasePage project={project} id={second} />)}
      {tab === "symbol-sets" && <SymbolSets project={project} />}
      {tab === "spikes" && <SpikesPage project={project} />}
      {tab === "rules" && <RulesPage project={project} />}
      {tab === "alerts" && <AlertsPage project={project} />}
    </Frame>
  );
};
