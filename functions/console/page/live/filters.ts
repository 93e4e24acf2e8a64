import { valueText } from "../../parts/number/exact.ts";
import type { Path } from "../../parts/tree/path.ts";
import type { Leaf } from "../../parts/tree/tree.tsx";

/** Which events are looked at; the names are those of the address and of the API. */
export interface Filters {
  readonly event?: string;
  readonly distinct_id?: string;
  readonly person_id?: string;
  readonly property?: string;
  readonly value?: string;
}

type Name = keyof Filters;
const NAMES: readonly Name[] = ["event", "distinct_id", "person_id", "property", "value"];

/** The filters of an address. */
export const filtersIn = (query: URLSearchParams): Filters =>
  Object.fromEntries(NAMES.flatMap((name) => (query.get(name) ? [[name, query.get(name)]] : [])));

/** Nothing is filtered. */
export const NO_FILTERS: Readonly<Record<Name, undefined>> = {
  event: undefined,
  distinct_id: undefined,
  person_id: undefined,
  property: undefined,
  value: undefined,
};

/** A filter in words, and what its end changes. */
export interface FilterWords {
  readonly words: string;
  readonly without: Readonly<Partial<Record<Name, undefined>>>;
}

/** The filters in words, as in "plan is team". */
export const filterWords = ({ property, value, ...named }: Filters): readonly FilterWords[] => [
  ...Object.entries(named).map(([name, wanted]) => ({ words: `${name} is ${wanted}`, without: { [name]: undefined } })),
  ...(property === undefined
    ? []
    : [
        {
          words: value === undefined ? `${property} is set` : `${property} is ${value}`,
          without: { property: undefined, value: undefined },
        },
      ]),
];

const LONGEST = 200;

/** The filter for events that have this value in this place; undefined where events cannot be asked for by it. */
export const filterBy = (path: Path, value: Leaf["value"]): Filters | undefined => {
  const [first, name, ...deeper] = path;
  const text = valueText(value);
  if (value === null || text === "" || text.length > LONGEST) return undefined;
  if (name === undefined) return first === "event" || first === "distinct_id" || first === "person_id" ? { [first]: text } : undefined;
  return first === "properties" && typeof name === "string" && deeper.length === 0 ? { property: name, value: text } : undefined;
};
