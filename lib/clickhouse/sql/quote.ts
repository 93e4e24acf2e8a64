/** A name of ours: a column of the lake, or a relation. */
export const quoteName = (name: string): string => `\`${name.replaceAll(/[\\`]/g, "\\$&")}\``;

/** A text of ours as a literal: never one of an author or a caller, which is a parameter. */
export const quoteText = (own: string): string => `'${own.replaceAll(/[\\']/g, "\\$&")}'`;

/** A text of a tenant's, where there is no parameter for it: it reaches a statement as hexadecimal digits only. */
export const hexText = (text: string): string => `unhex('${Buffer.from(text).toString("hex")}')`;
