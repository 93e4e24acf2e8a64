const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PLAIN = /^[0-9a-f]{32}$/i;
const WRAPPED = /^(?:urn:uuid:(.+)|\{(.+)\})$/;
const HYPHEN = 0x2d;
/** By code: 1 for a hexadecimal digit in upper or lower case. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => (/[0-9a-f]/i.test(String.fromCharCode(code)) ? 1 : 0));

/** Whether a text is a UUID as it is stored: hyphenated, in lower case. */
export const isCanonicalUuid = (text: string): boolean => CANONICAL.test(text);

/**
 * Whether a text is a hyphenated UUID, in upper or lower case: four hyphens at their places, and digits at all others. By hand, because a
 * regular expression takes twice as long, and capture asks this of every event.
 */
export const isHyphenatedUuid = (text: string): boolean => {
  if (text.length !== 36 || !hasHyphens(text)) return false;
  let digits = 0;
  for (let at = 0; at < 36; at++) digits += DIGITS[text.charCodeAt(at)] ?? 0;
  return digits === 32;
};

const hasHyphens = (text: string): boolean =>
  text.charCodeAt(8) === HYPHEN && text.charCodeAt(13) === HYPHEN && text.charCodeAt(18) === HYPHEN && text.charCodeAt(23) === HYPHEN;

/** Whether a text is a UUID in any of the forms that `canonicalUuid` reads; makes nothing for the ordinary one. */
export const isUuid = (text: string): boolean => isHyphenatedUuid(text) || canonicalUuid(text) !== undefined;

/** The lower-case hyphenated form of a UUID written with or without hyphens, in braces or as a URN; undefined for anything else. */
export const canonicalUuid = (text: string): string | undefined => {
  if (isHyphenatedUuid(text)) return text.toLowerCase();
  if (text.length === 32 && PLAIN.test(text)) {
    const hex = text.toLowerCase();
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
  const inner = WRAPPED.exec(text);
  const bare = inner?.[1] ?? inner?.[2];
  return bare !== undefined && isHyphenatedUuid(bare) ? bare.toLowerCase() : undefined;
};
