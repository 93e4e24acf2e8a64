import { type ComponentType, render } from "preact";
import { states as bars } from "./bars/bars.states.tsx";
import { states as conditions } from "./conditions/conditions.states.tsx";
import { states as confirm } from "./confirm/confirm.states.tsx";
import { states as diff } from "./diff/diff.states.tsx";
import { states as editor } from "./editor/editor.states.tsx";
import { states as pages } from "./pages/pages.states.tsx";
import { states as plot } from "./plot/plot.states.tsx";
import { states as range } from "./range/range.states.tsx";
import { states as result } from "./result/result.states.tsx";
import { states as table } from "./table/table.states.tsx";
import { states as tile } from "./tile/tile.states.tsx";
import { states as tree } from "./tree/tree.states.tsx";

/** Every state of every part, for a page that shows them all: no part of the console. */
const PARTS: Readonly<Record<string, Readonly<Record<string, ComponentType>>>> = {
  bars,
  conditions,
  confirm,
  diff,
  editor,
  pages,
  plot,
  range,
  result,
  table,
  tile,
  tree,
};

const States = () => (
  <main class="frame">
    <h1>Parts</h1>
    {Object.entries(PARTS).map(([part, states]) => (
      <section key={part} id={part}>
        <h2>{part}</h2>
        {Object.entries(states).map(([state, State]) => (
          <section key={state}>
            <h3>{state}</h3>
            <State />
          </section>
        ))}
      </section>
    ))}
  </main>
);

const place = document.getElementById("console");
if (place) render(<States />, place);
