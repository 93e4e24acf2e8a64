import type { ComponentChildren } from "preact";
import type { Call } from "../../calls/client.ts";
import type { ReachedProject } from "../../calls/session.ts";
import { Tabs } from "../../parts/tabs/tabs.tsx";
import { Frame } from "../shell/frame.tsx";

/** The pages by the part of the address that follows the view's name. */
export const PAGES = { period: "", series: "series", invoices: "invoices", plan: "plan", alerts: "alerts", llm: "llm" } as const;

const TITLES: readonly (readonly [string, string])[] = [
  [PAGES.period, "This period"],
  [PAGES.series, "Series"],
  [PAGES.invoices, "Invoices"],
  [PAGES.plan, "Plan"],
  [PAGES.alerts, "Alerts"],
  [PAGES.llm, "LLM spend"],
];

/** What every page is given. */
export interface PageProps {
  readonly project: ReachedProject;
}

interface FrameProps extends PageProps {
  readonly page: string;
  readonly call?: Call<unknown>;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The view's title and tabs around one of its pages. */
export const UsageFrame = ({ project, page, call, actions, children }: FrameProps) => (
  <Frame title="Usage" call={call} actions={actions}>
    <Tabs
      label="Usage"
      tabs={TITLES.map(([name, title]) => ({
        title,
        href: `project/${project.id}/usage${name && `/${name}`}`,
        current: name === page,
      }))}
    />
    {children}
  </Frame>
);
