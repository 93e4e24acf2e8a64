import { Empty } from "../../parts/state/state.tsx";
import type { View } from "../view.ts";
import { Alerts } from "./alerts/alerts.tsx";
import { Invoices } from "./invoices/invoices.tsx";
import { LlmSpend } from "./llm.tsx";
import { PAGES, UsageFrame } from "./page-frame.tsx";
import { ThisPeriod } from "./period.tsx";
import { PlanAndCredit } from "./plan/plan.tsx";
import { Series } from "./series.tsx";

/** What the project's organization uses and pays. */
export const view: View = ({ project, open: [page = "", opened] }) => {
  switch (page) {
    case PAGES.period:
      return <ThisPeriod project={project} />;
    case PAGES.series:
      return <Series project={project} />;
    case PAGES.invoices:
      return <Invoices project={project} open={opened} />;
    case PAGES.plan:
      return <PlanAndCredit project={project} />;
    case PAGES.alerts:
      return <Alerts project={project} open={opened} />;
    case PAGES.llm:
      return <LlmSpend project={project} />;
    default:
      return (
        <UsageFrame project={project} page={page}>
          <Empty title="Nothing of usage has this address." />
        </UsageFrame>
      );
  }
};
