/** A name of ours: a column of the lake, or a relation. */
export const quoteName = (name: string): string => `\`${name.replaceAll(/[\\`]/g, "\\$&")}\``;

/** A text of ours as a literal: never one of an author or a caller, which is a parameter. */
export const quoteText = (own: string): string => `'${own.replaceAll(/[\\']/g, "\\$&")}'`;
