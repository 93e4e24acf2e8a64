import { Diff } from "./diff.tsx";

const BEFORE = "SELECT toDate(timestamp) AS day, count() AS events\nFROM events\nGROUP BY day";

export const states = {
  "a line replaced": () => <Diff label="Versions 1 and 2" before={BEFORE} after={BEFORE.replace("day,", "week,")} />,
  "a line more": () => <Diff label="Versions 1 and 2" before={BEFORE} after={`${BEFORE}\nORDER BY day`} />,
  "the same": () => <Diff label="Versions 1 and 2" before={BEFORE} after={BEFORE} />,
};
