import { useState } from "preact/hooks";
import type { Condition } from "./condition.ts";
import { Conditions } from "./conditions.tsx";

const Kept = ({ first }: { readonly first: readonly Condition[] }) => {
  const [value, setValue] = useState(first);
  return <Conditions value={value} change={setValue} names={{ event: ["$browser", "$os"], person: ["plan"] }} />;
};

export const states = {
  none: () => <Kept first={[]} />,
  some: () => (
    <Kept
      first={[
        { key: "$browser", type: "event", operator: "exact", value: ["Chrome", "Safari"] },
        { key: "plan", type: "person", operator: "is_set", value: null },
        { key: "a property with a long name ".repeat(6), type: "event", operator: "gte", value: 12 },
      ]}
    />
  ),
};
