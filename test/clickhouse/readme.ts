import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FAMILIES } from "../../lib/hogql/functions/registry.ts";
import { DIFFERENCES } from "./exceptions.ts";

const README = join(import.meta.dirname, "../../lib/hogql/README.md");

export const readReadme = (): Promise<string> => readFile(README, "utf8");

/** Between these marks the README says what code knows better. */
const mark = (section: string): readonly [string, string] => [`<!-- ${section} -->\n`, `<!-- /${section} -->`];

/** The text of a section, or undefined when the README has none. */
export const sectionOf = (readme: string, section: string): string | undefined => {
  const [from, to] = mark(section);
  return readme.includes(from) ? readme.split(from)[1]?.split(to)[0] : undefined;
};

/** Every function by family, as the README lists them. */
export const functionTable = (): string => {
  const rows = [...FAMILIES].map(([family, specs]) => {
    const names = new Set(specs.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
    return `| ${family} | ${[...names].map((name) => `\`${name}\``).join(", ")} |`;
  });
  return ["| Family | Functions |", "|---|---|", ...rows, ""].join("\n");
};

/** Every known difference with its reason, and the cases that show it. */
export const differenceList = (): string =>
  DIFFERENCES.map(({ reason, cases }) => `- ${reason} (${cases.map((name) => `\`${name}\``).join(", ")})\n`).join("");

/** Writes sections of the README anew. */
export const renewReadme = async (sections: Readonly<Record<string, string>>): Promise<void> => {
  let readme = await readReadme();
  for (const [section, text] of Object.entries(sections)) {
    const old = sectionOf(readme, section);
    const [from, to] = mark(section);
    if (old !== undefined) readme = readme.replace(`${from}${old}${to}`, () => `${from}${text}${to}`);
  }
  await writeFile(README, readme);
};
