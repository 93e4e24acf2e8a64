import type { ComponentChildren } from "preact";
import type { Column } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import type { PersonalKey } from "../calls.ts";

type Key = Pick<PersonalKey, "id" | "label" | "mask_value" | "scopes" | "last_used_at" | "last_rolled_at" | "created_at">;

/** What every key has. Which one is the session's own is said. */
export const labelColumn = (own?: string): Column<Key> => ({
  title: "Key",
  cell: ({ id, label, mask_value }) => (
    <>
      {label}
      {id === own && <span class="soft"> (of this session)</span>}
      <br />
      <code class="soft">{mask_value}</code>
    </>
  ),
});

export const SCOPES: Column<Key> = {
  title: "Scopes",
  cell: ({ scopes }) =>
    scopes.includes("*") ? (
      <>
        all (<code>*</code>)
      </>
    ) : (
      scopes.join(", ")
    ),
};

export const LAST_USED: Column<Key> = {
  title: "Last used",
  cell: ({ last_used_at, last_rolled_at, created_at }) => (
    <div class="key-times">
      {last_used_at ? <Ago at={last_used_at} /> : "never"}
      <br />
      <span class="soft">
        {last_rolled_at ? "rolled" : "made"} <Ago at={last_rolled_at ?? created_at} />
      </span>
    </div>
  ),
};

/** What can be done with a key. */
export const actionsWith = <T,>(draw: (key: T) => ComponentChildren): Column<T> => ({
  title: "Actions",
  cell: (key) => <div class="key-actions">{draw(key)}</div>,
});
