import { useState } from "preact/hooks";
import type { RangeValue } from "./presets.ts";
import { Range } from "./range.tsx";

const Kept = ({ first }: { readonly first: RangeValue }) => {
  const [value, setValue] = useState(first);
  return <Range value={value} change={setValue} />;
};

export const states = {
  "a preset": () => <Kept first={{ date_from: "-30d", date_to: "" }} />,
  "custom dates": () => <Kept first={{ date_from: "2026-10-01", date_to: "2026-10-31" }} />,
  "the last day before the first": () => <Kept first={{ date_from: "2026-10-31", date_to: "2026-10-01" }} />,
};
