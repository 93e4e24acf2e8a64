/** Files that import each other, and why they have to. */
export interface Circle {
  readonly of: RegExp;
  readonly files: string;
  readonly why: string;
}

type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The page of the floors of lib: a drawing of who imports whom, the doors of each room and the circles. `arrows` lead from a folder to
 * those that it imports; `doorsOf` gives the files of a folder that others import.
 */
export const importPage = (
  floors: readonly (readonly string[])[],
  arrows: Arrows,
  circles: readonly Circle[],
  doorsOf: (folder: string) => readonly string[],
): string =>
  [
    "# The floors of the library",
    "",
    "Each folder imports only what stands below it, types included. Arrows that follow from others are left out. This page is made, and held to the code, by `test/contract/import-rules.test.ts`; `npx vitest run test/contract/import-rules.test.ts -u` makes it anew.",
    "",
    "```mermaid",
    "flowchart TD",
    ...floors.toReversed().map((folders) => `  ${folders.join(" ~~~ ")}`),
    ...[...arrows]
      .flatMap(([from, all]) => [...all].filter((to) => !follows(arrows, all, to)).map((to) => `  ${from} --> ${to}`))
      .toSorted(),
    "```",
    "",
    "A room is entered by its doors, the files that lie directly in its folder; what lies deeper is its own.",
    "",
    "| Room | Doors |",
    "|---|---|",
    ...floors
      .flat()
      .toReversed()
      .map(
        (folder) =>
          `| \`${folder}\` | ${doorsOf(folder)
            .map((file) => `[${nameIn(folder, file)}](${folder}/${nameIn(folder, file)}.ts)`)
            .join(" · ")} |`,
      ),
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

const nameIn = (folder: string, file: string): string => file.slice(`lib/${folder}/`.length, -".ts".length);
