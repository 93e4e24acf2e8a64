import { useCall } from "../../calls/use-call.ts";
import { Pages } from "../../parts/pages/pages.tsx";
import { Loaded } from "../../parts/state/state.tsx";
import { type Column, Table } from "../../parts/table/table.tsx";
import { Ago } from "../../parts/time/time.tsx";
import { useAddress, withQuery } from "../address.ts";
import type { ViewProps } from "../view.ts";
import { listMembers, type Member, PAGE_ROWS } from "./calls.ts";

/** The words of the levels that a membership can have. */
const LEVELS: Readonly<Record<number, string>> = { 1: "member", 8: "admin", 15: "owner" };

const COLUMNS: readonly Column<Member>[] = [
  { title: "E-mail", cell: ({ user }) => user.email },
  { title: "Name", wide: true, cell: ({ user }) => [user.first_name, user.last_name].filter(Boolean).join(" ") || "–" },
  { title: "Level", cell: ({ level }) => LEVELS[level] ?? level },
  { title: "Joined", cell: ({ joined_at }) => <Ago at={joined_at} /> },
];

/** Who belongs to the project's organization. */
export const Members = ({ project }: ViewProps) => {
  const address = useAddress();
  const offset = Number(address.query.get("offset") ?? 0) || 0;
  const asked = useCall(listMembers(project.organization_id, offset));
  return (
    <Loaded of={asked}>
      {({ results, count }) => (
        <>
          <Table
            label="Members"
            columns={COLUMNS}
            rows={results}
            keyOf={({ user }) => user.id}
            empty={<p>No member stands on this page.</p>}
          />
          <Pages
            label="Members"
            offset={offset}
            limit={PAGE_ROWS}
            count={count}
            hrefOf={(to) => withQuery(address, { offset: to === 0 ? undefined : String(to) })}
          />
          <p class="note">
            Members and their levels stand in the file that <code>npm run admin -- apply FILE</code> puts into force.
          </p>
        </>
      )}
    </Loaded>
  );
};
