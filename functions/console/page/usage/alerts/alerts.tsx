import { useCall } from "../../../calls/use-call.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago, useZone } from "../../../parts/time/time.tsx";
import { Answer } from "../answer.tsx";
import { type Alert, FRESH_MS, readAlerts } from "../calls.ts";
import { dayText } from "../days.ts";
import { useOrganization } from "../organization.ts";
import { PAGES, type PageProps, UsageFrame } from "../page-frame.tsx";
import { Webhooks } from "./webhooks.tsx";

/** What was told of limits, and where events of billing are sent. */
export const Alerts = ({ project, open }: PageProps & { readonly open: string | undefined }) => {
  const call = readAlerts(project.id);
  const alerts = useCall(call, { freshMs: FRESH_MS });
  const { name, mayPay } = useOrganization(project);
  const zone = useZone();
  return (
    <UsageFrame project={project} page={PAGES.alerts} call={call}>
      <section class="plan-part">
        <h2>Limits</h2>
        <Answer of={alerts} lines={4}>
          {({ results }) => (
            <Table
              label={`Limits that ${name} came to`}
              columns={columns(zone)}
              rows={results}
              keyOf={({ product, threshold, period_start }) => `${product} ${threshold} ${period_start}`}
              empty={
                <p class="soft">
                  No product of <bdi>{name}</bdi> came near its limit in the last year.
                </p>
              }
            />
          )}
        </Answer>
        <p class="note">
          Those who may see billing get a letter when a product comes to 80 % of its limit, to all of it, and when its data begins to be
          dropped.
        </p>
      </section>
      {mayPay && <Webhooks project={project} open={open} />}
    </UsageFrame>
  );
};

const TOLD: Readonly<Record<Alert["threshold"], string>> = {
  "80": "80 % of its limit",
  "100": "all of its limit",
  dropping: "its data is dropped",
};

/** What a use came to, and when its data is dropped where that is still to come. */
const toldText = ({ threshold, drops_from }: Alert, zone: string): string =>
  drops_from === null || threshold === "dropping"
    ? TOLD[threshold]
    : `${TOLD[threshold]}, its data is dropped from ${dayText(drops_from, zone)} on`;

const columns = (zone: string): readonly Column<Alert>[] => [
  { title: "Product", cell: ({ name }) => <span class="unbroken">{name}</span> },
  { title: "Came to", wide: true, cell: (alert) => toldText(alert, zone) },
  { title: "Used", numeric: true, cell: ({ usage }) => numberText(usage) },
  { title: "Limit", numeric: true, cell: ({ limit }) => numberText(limit) },
  { title: "When", cell: ({ at }) => <Ago at={Date.parse(at)} /> },
  { title: "Letter", cell: ({ letter }) => letter },
];
