/** What stands in a message for what was said in its place. */
const [ADDRESS, MAIL, TIME, HEX, ID, NUMBER] = ["<url>", "<email>", "<time>", "<hex>", "<id>", "<number>"];

/** Parts of a message, each of which is passed once: what an alternative looks at in vain is bounded, and a run of words is taken whole. */
const PARTS =
  /(?<url>[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>()[\]{}]+)|(?<time>\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:z|[+-]\d\d:?\d\d)?)?)(?![\w-])|(?<number>\d{1,15}(?:[.,]\d{1,15}){1,5})(?![\w.])|(?<run>[\w.%+-]+(?<mail>@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})?)/gi;

const IN_RUN =
  /(?<uuid>[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12})(?![0-9a-z])|(?<hex>0x[0-9a-f]+)|(?<number>\d{1,15}(?:\.\d{1,15}){1,5})|[a-z0-9]+/gi;

type Found = Readonly<Record<string, string | undefined>>;

/** A message without what differs from one time to the next: ids, numbers, times, hashes, addresses. All else of it is left as it is. */
export const cleanMessage = (message: string): string => {
  if (!/\d|:\/\/|@/.test(message)) return message;
  return message.replace(PARTS, (whole, ...rest) => {
    const { url, time, number, mail }: Found = rest.at(-1);
    if (url !== undefined) return ADDRESS + endOfSentence(url);
    if (time !== undefined) return TIME;
    if (number !== undefined) return NUMBER;
    return mail !== undefined ? MAIL : cleanRun(whole);
  });
};

/** What ends the sentence and not the address. */
const endOfSentence = (url: string): string => /[.,;:!?]{0,3}$/.exec(url)?.[0] ?? "";

const cleanRun = (run: string): string => {
  if (!/\d/.test(run)) return run;
  return run.replace(IN_RUN, (whole, ...rest) => {
    const { uuid, hex, number }: Found = rest.at(-1);
    if (uuid !== undefined) return ID;
    if (hex !== undefined) return HEX;
    return number !== undefined ? NUMBER : cleanWord(whole);
  });
};

const cleanWord = (word: string): string => {
  if (!/\d/.test(word)) return word;
  if (isOpaque(word)) return ID;
  const [, first = "", middle = "", last = ""] = /^(\d*)(.*?)(\d*)$/.exec(word) ?? [];
  return (first === "" ? "" : NUMBER) + middle + (last.length < 3 || isTechnical(word) ? last : NUMBER);
};

/** A longer word with a digit is no word. */
const LONGEST_WORD = 40;

/** Whether a word is an id, a key or a hash: as long as no word with a number is, letters and digits mixed. */
export const isOpaque = (word: string): boolean => {
  if (word.length < 7 || !/\d/.test(word)) return false;
  return word.length > LONGEST_WORD || (/^[0-9a-f]+$/i.test(word) && /[a-f]/i.test(word)) || turns(word) >= 3;
};

/** How often letters and digits take turns. */
const turns = (word: string): number => word.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;

/** Names of encodings, hashes and types, whose number is a part of the name. */
const isTechnical = (word: string): boolean => /^(?:sha|aes|rsa|u?int|float|es|hs|rs|ps|h|x|iso|cp|windows|latin)\d+$/i.test(word);
