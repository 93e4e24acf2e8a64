import { useState } from "preact/hooks";
import { Editor } from "./editor.tsx";
import type { Suggest } from "./suggestion.ts";

const QUERY = `-- Events of each day
SELECT toDate(timestamp) AS day, count() AS events
FROM events
WHERE event = 'signup' AND properties.plan != "free" AND timestamp >= now() - INTERVAL 30 DAY
GROUP BY day ORDER BY day LIMIT 100`;

const suggest: Suggest = async (text, at) => ({
  from: at - (/\w*$/.exec(text.slice(0, at))?.[0].length ?? 0),
  options: [
    { label: "count", detail: "Aggregates", text: "count(|)" },
    { label: "countIf", detail: "Aggregates", text: "countIf(|)" },
  ],
});

const Written = () => {
  const [text, setText] = useState(QUERY);
  return <Editor label="Query" text={text} change={setText} suggest={suggest} />;
};

const FAULTS = [{ line: 2, column: 8, sentence: "Unknown function `cont`. Did you mean `count`?" }];

const nothing = (): void => undefined;

export const states = {
  "a query": Written,
  "a fault": () => (
    <Editor
      label="Query with a fault"
      text={"SELECT toDate(timestamp) AS day,\n evnt, cont() FROM events"}
      change={nothing}
      faults={FAULTS}
    />
  ),
  empty: () => <Editor label="Empty query" text="" change={nothing} placeholder="SELECT event, count() FROM events GROUP BY event" />,
  "only to read": () => <Editor label="Saved query" text={QUERY} />,
};
