import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ExactNumber } from "../../../../lib/core/exact-json.ts";
import { CopyButton } from "../copy/copy.tsx";
import { isExact, valueText } from "../number/exact.ts";
import { numberText } from "../number/number.tsx";
import { type Path, pathText } from "./path.ts";

/** A value that holds no others, and where it lies in the whole. */
export interface Leaf {
  readonly path: Path;
  readonly value: string | number | ExactNumber | boolean | null;
}

interface TreeProps {
  /** What the value is, for readers of screens. */
  readonly label: string;
  /** Anything that came as JSON. */
  readonly value: unknown;
  /** Where the value lies itself: the beginning of all its paths. */
  readonly path?: Path;
  /** How many levels are open at first. */
  readonly openLevels?: number;
  /** What else can be done with a leaf, beside copying it: links or quiet buttons. */
  actions?(leaf: Leaf): ComponentChildren;
}

/** A value as lines that fold, each with its type; any of it can be copied, and the way to it. */
export const Tree = ({ label, value, path = [], openLevels = 1, actions }: TreeProps) => (
  <section class="tree" aria-label={label}>
    {isHolder(value) ? (
      <Children holder={value} path={path} openLevels={openLevels} actions={actions} />
    ) : (
      <ul>
        <Line name="" value={value} path={path} openLevels={openLevels} actions={actions} />
      </ul>
    )}
  </section>
);

type Holder = Readonly<Record<string, unknown>> | readonly unknown[];

const isHolder = (value: unknown): value is Holder => typeof value === "object" && value !== null && !isExact(value);

/** So many children are drawn at first, and so many more at each press. */
const CHILDREN_AT_ONCE = 100;

type BelowProps = Required<Pick<TreeProps, "path" | "openLevels">> & Pick<TreeProps, "actions">;

const Children = ({ holder, path, openLevels, actions }: BelowProps & { readonly holder: Holder }) => {
  const [most, setMost] = useState(CHILDREN_AT_ONCE);
  const isList = Array.isArray(holder);
  const children = Object.entries(holder);
  if (children.length === 0) return <p class="soft">{isList ? "An empty list" : "No fields"}</p>;
  return (
    <ul>
      {children.slice(0, most).map(([name, value]) => (
        <Line
          key={name}
          name={name}
          value={value}
          path={[...path, isList ? Number(name) : name]}
          openLevels={openLevels}
          actions={actions}
        />
      ))}
      {children.length > most && (
        <li>
          <button type="button" class="quiet" onClick={() => setMost(most + CHILDREN_AT_ONCE)}>
            Show {numberText(Math.min(CHILDREN_AT_ONCE, children.length - most))} more of {numberText(children.length)}
          </button>
        </li>
      )}
    </ul>
  );
};

type LineProps = BelowProps & { readonly name: string; readonly value: unknown };

const Line = ({ name, value, path, openLevels, actions }: LineProps) => {
  const [isOpen, setOpen] = useState(openLevels > 0);
  if (!isHolder(value)) {
    const leaf: Leaf = { path, value: value as Leaf["value"] };
    return (
      <li class="tree-leaf">
        <div class="tree-line">
          <span class="tree-name">{name}</span> <LeafText value={leaf.value} /> <span class="tree-type">{typeWord(value)}</span>
          <span class="tree-actions">
            {actions?.(leaf)}
            <Copies path={path} text={valueText(leaf.value)} />
          </span>
        </div>
      </li>
    );
  }
  return (
    <li>
      <div class="tree-line">
        <button
          type="button"
          class="tree-fold"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={({ key }) => {
            if (key === "ArrowRight") setOpen(true);
            if (key === "ArrowLeft") setOpen(false);
          }}
        >
          <span class="tree-name">{name}</span> <span class="tree-type">{holderWords(value)}</span>
        </button>
        <span class="tree-actions">
          <Copies path={path} text={JSON.stringify(value, null, 2)} />
        </span>
      </div>
      {isOpen && <Children holder={value} path={path} openLevels={openLevels - 1} actions={actions} />}
    </li>
  );
};

const Copies = ({ path, text }: { readonly path: Path; readonly text: string }) => {
  const way = pathText(path);
  return (
    <>
      <CopyButton text={text} about={way} />
      {way && <CopyButton text={way} label="Copy path" about={way} />}
    </>
  );
};

/** Longer texts are folded. */
const LONG = 240;

const LeafText = ({ value }: { readonly value: Leaf["value"] }) => {
  const [isWhole, setWhole] = useState(false);
  const text = valueText(value);
  if (text.length <= LONG) return <span class="tree-value">{text}</span>;
  return (
    <span class="tree-value">
      {isWhole ? text : `${text.slice(0, LONG)}…`}{" "}
      <button type="button" class="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? "Show less" : `Show all ${numberText(text.length)} characters`}
      </button>
    </span>
  );
};

const typeWord = (value: unknown): string => (value === null ? "null" : isExact(value) ? "number" : typeof value);

const holderWords = (value: Holder): string => {
  const count = Object.keys(value).length;
  return Array.isArray(value) ? `array of ${numberText(count)}` : `object of ${numberText(count)}`;
};
