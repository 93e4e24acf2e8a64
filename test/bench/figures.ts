/** One line of the table. `baseline` says in words what the value is held against. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline: string;
}

/** A part of the benches: it runs alone when its name, or one of its figures', begins with the filter. */
export interface Part {
  readonly name: string;
  /** About how long it takes on two cores, seconds. */
  readonly seconds: number;
  /** Files and folders of the product: once one of them is changed, what was measured before is an older one's. */
  readonly measures: readonly string[];
  /** It runs only when it is asked for by its name. */
  readonly apart?: true;
  run(): Promise<readonly Figure[]>;
}

/** The middle one; of an even number the higher of the two in the middle. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
