/** Numbers that are equal for equal trees, and hardly ever for others. */

export const mixed = (hash: number, other: number): number => (Math.imul(hash, 0x01000193) ^ Math.imul(other, 0x9e3779b1)) | 0;

export const hashOfText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};
