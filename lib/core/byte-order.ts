/** DynamoDB orders text by its UTF-8 bytes, which is the order of code points and not that of UTF-16 units. */
export const byteOrder = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at += 1) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    // Surrogates stand for code points above all others, though their units lie below 0xe000.
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
};

const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
