import { GATEWAY_QUESTIONS } from "./gateway-questions.ts";
import { COLD_QUESTIONS, JOURNEY_QUESTIONS } from "./journey-questions.ts";
import type { Answered, Question, Site } from "./question.ts";

/** Asks every question that the place can answer, those of `more` among them: first answers first, then all others side by side. */
export const askAll = async (site: Site, more: readonly Question[] = []): Promise<readonly Answered[]> => {
  const first: Answered[] = [];
  for (const each of COLD_QUESTIONS) first.push(...(await answer(each, site)));
  const others = [...GATEWAY_QUESTIONS, ...JOURNEY_QUESTIONS, ...more];
  return [...first, ...(await Promise.all(others.map((each) => answer(each, site)))).flat()];
};

const answer = async ({ asks, assumed, ask }: Question, site: Site): Promise<readonly Answered[]> => {
  const expected = assumed[site.place];
  if (expected === undefined) return [];
  const finding = await ask(site).catch((thrown: unknown) => ({ found: `no answer: ${String(thrown)}`, asAssumed: false }));
  return [{ asks, assumed: expected, ...finding }];
};

/** What was found, as a page to keep beside the stage's settings. */
export const smokeReport = (name: string, at: string, answers: readonly Answered[]): string => {
  const rows = answers.map(({ asks, assumed, found, asAssumed }) =>
    [asks, assumed, asAssumed ? found : `**${found}**`].map((cell) => cell.replaceAll("|", "\\|").replaceAll(/\s+/g, " ")),
  );
  return `# What ${name} answered

Asked on ${at} by \`npm run smoke\`. What is not as the platform assumes is in bold.

| Asked | Assumed | Found |
|---|---|---|
${rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}
`;
};
