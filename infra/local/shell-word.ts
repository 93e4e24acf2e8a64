/** A text as one word of a shell's command line: as it is where that is safe, else in quotes. */
export const shellWord = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
