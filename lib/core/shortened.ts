/** A text of so many characters at most, with a sign where it goes on. Half of a pair that the cut leaves becomes a replacement character. */
export const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text);
