const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PLAIN = /^[0-9a-f]{32}$/i;
const WRAPPED = /^(?:urn:uuid:(.+)|\{(.+)\})$/;

/** Whether a text is a UUID in any of the forms that `canonicalUuid` reads; makes nothing for the ordinary one. */
export const isUuid = (text: string): boolean => (text.length === 36 && HYPHENATED.test(text)) || canonicalUuid(text) !== undefined;

/** The lower-case hyphenated form of a UUID written with or without hyphens, in braces or as a URN; undefined for anything else. */
export const canonicalUuid = (text: string): string | undefined => {
  if (text.length === 36 && HYPHENATED.test(text)) return text.toLowerCase();
  if (text.length === 32 && PLAIN.test(text)) {
    const hex = text.toLowerCase();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  const inner = WRAPPED.exec(text);
  const bare = inner?.[1] ?? inner?.[2];
  return bare !== undefined && HYPHENATED.test(bare) ? bare.toLowerCase() : undefined;
};
