import { type Leaf, Tree } from "./tree.tsx";

const EVENT = {
  uuid: "0193f9d5-8f0e-7c5e-b7b4-6f6f5ad0b1c2",
  event: "$exception",
  properties: {
    $browser: "Chrome",
    $screen_width: 1920,
    is_trial: false,
    plan: null,
    tags: ["a", "b"],
    nothing: {},
    $exception_list: [{ type: "TypeError", value: "x is undefined", mechanism: { handled: true } }],
    "a name with spaces": "and a value",
  },
};

const filterLink = ({ path }: Leaf) => <a href={`project/1/live?property=${String(path.at(-1))}`}>Filter by this</a>;

export const states = {
  "an event, its first level open": () => <Tree label="Event" value={EVENT} />,
  "all open, with an action for each leaf": () => <Tree label="Event with actions" value={EVENT} openLevels={9} actions={filterLink} />,
  "a long text, and a text of several lines": () => (
    <Tree label="Texts" value={{ message: "It does not end. ".repeat(200), stack: "TypeError: x\n  at a\n  at b" }} />
  ),
  "more children than are drawn at once": () => <Tree label="Many numbers" value={Array.from({ length: 250 }, (_, place) => place)} />,
  "a value alone": () => <Tree label="Value" value="a text" />,
  "no fields": () => <Tree label="Nothing" value={{}} />,
};
