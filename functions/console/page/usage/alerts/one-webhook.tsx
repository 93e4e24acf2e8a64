import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ConfirmButton } from "../../../parts/confirm/confirm.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { go } from "../../address.ts";
import { Answer } from "../answer.tsx";
import { BILLING, type Delivery, deleteWebhook, readDeliveries, retryDelivery, updateWebhook, type Webhook } from "../calls.ts";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";

interface OneWebhookProps extends PageProps {
  readonly webhook: Webhook;
}

/** One webhook: what was sent to it, and whether more is. */
export const OneWebhook = ({ project, webhook: { id, url, is_active } }: OneWebhookProps) => {
  const deliveries = useCall(readDeliveries(project.id, id));
  const { mayChange } = useOrganization(project);
  const action = useAction();
  const all = `project/${project.id}/usage/alerts`;
  const remove = async (): Promise<void> => {
    if ((await action.run(deleteWebhook(project.id, id), BILLING)) !== undefined) go(all, { replace: true });
  };
  const columns: readonly Column<Delivery>[] = [
    ...COLUMNS,
    {
      title: "Actions",
      cell: ({ id: delivery }) =>
        mayChange && (
          <button
            type="button"
            class="quiet"
            disabled={action.running}
            aria-label={`Send again: ${delivery}`}
            onClick={() => void action.run(retryDelivery(project.id, id, delivery), BILLING)}
          >
            Send again
          </button>
        ),
    },
  ];
  return (
    <section class="plan-part" aria-label={`Webhook ${url}`}>
      <div class="row">
        {mayChange && (
          <>
            <button
              type="button"
              disabled={action.running}
              onClick={() => void action.run(updateWebhook(project.id, id, { is_active: !is_active }), BILLING)}
            >
              {is_active ? "Pause" : "Resume"}
            </button>
            <ConfirmButton
              title="Delete"
              question="Nothing more is sent to it. Delete it?"
              disabled={action.running}
              act={() => void remove()}
            />
          </>
        )}
        <a href={all}>Close</a>
      </div>
      {action.problem && <Problem problem={action.problem} />}
      <Answer of={deliveries} lines={4}>
        {({ results }) => (
          <Table
            label="Sent to it"
            columns={columns}
            rows={results}
            keyOf={({ id: delivery }) => delivery}
            empty={<p class="soft">Nothing was sent to it in the last 30 days.</p>}
          />
        )}
      </Answer>
    </section>
  );
};

const COLUMNS: readonly Column<Delivery>[] = [
  { title: "Event", cell: ({ type }) => <span class="unbroken">{type}</span> },
  { title: "State", wide: true, cell: ({ status, error }) => `${status}${error === null ? "" : `: ${error}`}` },
  { title: "When", cell: ({ created_at }) => <Ago at={Date.parse(created_at)} /> },
];
