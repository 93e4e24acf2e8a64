/** A word or sign of a query, in capitals where it is a word, and where it stands. */
export interface Token {
  readonly word: string;
  readonly at: number;
}

/** A form of another dialect: the words by which it is known, from a place on, and what to write instead. */
interface ForeignForm {
  readonly words: readonly RegExp[];
  /** At the beginning of the query only. */
  readonly first?: true;
  readonly instead: (words: readonly string[]) => string;
}

const READS_ONLY = "A query only reads: begin it with SELECT or WITH.";
const TABLES = "the tables are events, persons, groups, sessions and person_distinct_ids, and `SELECT * FROM events LIMIT 1` shows columns";
const UNITS = /^(SECOND|MINUTE|HOUR|DAY|WEEK|MONTH|QUARTER|YEAR)S$/;

const FORMS: readonly ForeignForm[] = [
  { words: [/^SELECT$/, /^TOP$/, /^\d+$/], instead: ([, , n]) => `TOP is not supported: write LIMIT ${n} at the end of the query.` },
  {
    words: [/^WITHIN$/, /^GROUP$/],
    instead: () => "WITHIN GROUP is not supported: write quantile(0.5)(x) for a percentile, or arraySort(groupArray(x)) for a sorted list.",
  },
  { words: [/^INTERVAL$/, /./, UNITS], instead: ([, n, unit]) => `Write the unit in the singular: INTERVAL ${n} ${unit?.slice(0, -1)}.` },
  { words: [/^AT$/, /^TIME$/, /^ZONE$/], instead: () => "AT TIME ZONE is not supported: write toTimeZone(time, 'Europe/Berlin')." },
  { words: [/^FETCH$/, /^(FIRST|NEXT)$/], instead: () => "FETCH is not supported: write LIMIT n at the end of the query." },
  { words: [/^(ORDER|GROUP)$/, /^(?!BY$)[A-Z_]/], instead: ([word]) => `${word} wants BY behind it: write ${word} BY.` },
  { words: [/^SHOW$/], first: true, instead: () => `SHOW is not supported: ${TABLES}.` },
  { words: [/^(DESCRIBE|DESC)$/], first: true, instead: ([word]) => `${word} is not supported: ${TABLES}.` },
  { words: [/^EXPLAIN$/], first: true, instead: () => "EXPLAIN is not supported: run the query, and see how long it took in its logs." },
  {
    words: [/^(INSERT|UPDATE|DELETE|CREATE|DROP|ALTER|TRUNCATE|MERGE|REPLACE|GRANT)$/],
    first: true,
    instead: ([word]) => `${word} is not supported. ${READS_ONLY}`,
  },
];

/** What to write instead of the first form of another dialect, and where that stands. */
export const foreignForm = (tokens: readonly Token[]): { readonly sentence: string; readonly at: number } | undefined => {
  for (const [place, token] of tokens.entries()) {
    for (const { words, first, instead } of FORMS) {
      if (first && place > 0) continue;
      const found = tokens.slice(place, place + words.length).map(({ word }) => word);
      if (found.length < words.length || !words.every((word, index) => word.test(found[index] ?? ""))) continue;
      // Of `SELECT TOP` it is the second word that is foreign.
      const culprit = token.word === "SELECT" ? tokens[place + 1] : token;
      return { sentence: instead(found), at: culprit?.at ?? token.at };
    }
  }
  return undefined;
};
