/**
 * JSON of ASCII characters alone, which reads as the same value. A queue takes no text that holds one of some others: the noncharacters
 * U+FFFE and U+FFFF nowhere, and what lies beyond them not everywhere.
 */
export const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
