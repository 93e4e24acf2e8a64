/** A figure that the product says otherwise than the rules do. */
export class Difference extends Error {
  readonly figure: string;
  constructor(figure: string, expected: unknown, got: unknown) {
    super(`${figure}: expected ${shown(expected)}, got ${shown(got)}`);
    this.figure = figure;
  }
}

const shown = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, (_, each) => (typeof each === "bigint" ? Number(each) : each));

/** Two figures are the same. */
export const same = (figure: string, expected: unknown, got: unknown): void => {
  if (shown(expected) !== shown(got)) throw new Difference(figure, expected, got);
};
