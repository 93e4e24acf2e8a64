import { useState } from "preact/hooks";
import { useCall } from "../../../calls/use-call.ts";
import { CopyButton } from "../../../parts/copy/copy.tsx";
import { Empty } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Answer } from "../answer.tsx";
import { FRESH_MS, type NewWebhook, readWebhooks, type Webhook } from "../calls.ts";
import { useOrganization } from "../organization.ts";
import type { PageProps } from "../page-frame.tsx";
import { OneWebhook } from "./one-webhook.tsx";
import { WebhookForm } from "./webhook-form.tsx";

/** Where events of billing are sent, and the one that is open. */
export const Webhooks = ({ project, open }: PageProps & { readonly open: string | undefined }) => {
  const webhooks = useCall(readWebhooks(project.id), { freshMs: FRESH_MS });
  const { mayChange } = useOrganization(project);
  const [made, setMade] = useState<NewWebhook>();
  return (
    <section class="plan-part">
      <h2>Webhooks</h2>
      <Answer of={webhooks} lines={2}>
        {({ results }) => {
          const opened = results.find(({ id }) => id === open);
          return (
            <div class={opened ? "with-detail" : undefined}>
              <Table
                label="Webhooks"
                columns={COLUMNS}
                rows={results}
                keyOf={({ id }) => id}
                open={open}
                hrefOf={({ id }) => `project/${project.id}/usage/alerts/${id}`}
                empty={<p class="soft">Events of billing are sent nowhere.</p>}
              />
              {opened && <OneWebhook key={opened.id} project={project} webhook={opened} />}
              {open !== undefined && !opened && <Empty title="No webhook has this address." />}
            </div>
          );
        }}
      </Answer>
      {made && (
        <section class="plan-part" aria-label="New secret">
          <p>What is sent to {made.url} is signed with this secret. It is not shown again: copy it now.</p>
          <p class="row">
            <code>{made.secret}</code>
            <CopyButton text={made.secret} />
            <button type="button" class="quiet" onClick={() => setMade(undefined)}>
              Hide it
            </button>
          </p>
        </section>
      )}
      {mayChange && <WebhookForm project={project} done={setMade} />}
    </section>
  );
};

const COLUMNS: readonly Column<Webhook>[] = [
  { title: "Address", wide: true, cell: ({ url }) => url },
  {
    title: "Events",
    cell: ({ events }) => <span class="unbroken">{events.map((event) => event.replace("billing.", "")).join(", ")}</span>,
  },
  { title: "State", cell: ({ is_active }) => (is_active ? "active" : "paused") },
];
