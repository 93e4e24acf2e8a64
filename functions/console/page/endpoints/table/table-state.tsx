import { Ago } from "../../../parts/time/time.tsx";
import type { Endpoint } from "../calls.ts";

/** How the table of a version stands, in a few words. */
export const TableState = ({ materialization }: Pick<Endpoint, "materialization">) => {
  const { enabled, status, last_materialized_at: at, can_materialize } = materialization;
  if (!enabled) return <span class="soft">{can_materialize ? "none" : "not possible"}</span>;
  const made = at ? <Ago at={at} /> : null;
  switch (status) {
    case "Completed":
      return <>made {made}</>;
    case "Failed":
      return (
        <>
          <span class="wrong-word">failed</span>
          {made && <>, last made {made}</>}
        </>
      );
    case "Running":
      return <>is being made{made && <>, last {made}</>}</>;
    default:
      return <>waits to be made</>;
  }
};
