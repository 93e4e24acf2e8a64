/** Files that import each other, and why they have to. */
export interface Circle {
  readonly of: RegExp;
  readonly files: string;
  readonly why: string;
}

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** The page of the floors of lib: a drawing of who imports whom, and the circles. `arrows` lead from a folder to those that it imports. */
export const importPage = (floors: readonly (readonly string[])[], arrows: Arrows, circles: readonly Circle[]): string =>
  [
    "# The floors of the library",
    "",
    "Each folder imports only what stands below it, types included. Arrows that follow from others are left out. This page is made, and held to the code, by `test/contract/import-rules.test.ts`; `npx vitest run -u test/contract/import-rules.test.ts` makes it anew.",
    "",
    "```mermaid",
    "flowchart TD",
    ...floors.toReversed().map((folders) => `  ${folders.join(" ~~~ ")}`),
    ...[...arrows]
      .flatMap(([from, all]) => [...all].filter((to) => !follows(arrows, all, to)).map((to) => `  ${from} --> ${to}`))
      .toSorted(),
    "```",
    "",
    "Files import each other in a circle only where what they say is recursive:",
    "",
    ...circles.map(({ files, why }) => `- \`${files}\`: ${why}.`),
    "",
  ].join("\n");

/** Whether one of the folders leads to another by itself. */
const follows = (arrows: Arrows, some: ReadonlySet<string>, to: string): boolean =>
  [...some].some((each) => each !== to && leadsTo(arrows, each, to));

/** Imports only go down, so this ends. */
const leadsTo = (arrows: Arrows, from: string, to: string): boolean =>
  [...(arrows.get(from) ?? [])].some((next) => next === to || leadsTo(arrows, next, to));
