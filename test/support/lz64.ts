const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** A text in lz-string's base64 form, as browsers send it: the plain algorithm, without any of its speed. */
export const encodeLz64 = (text: string): string => {
  const bits: number[] = [];
  const write = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit++) bits.push(Math.floor(value / 2 ** bit) % 2);
  };
  const codes = new Map<string, number>();
  const unwritten = new Set<string>();
  let next = 3;
  let width = 2;
  let left = 2;
  const step = (): void => {
    left--;
    if (left > 0) return;
    left = 2 ** width;
    width++;
  };
  const writePiece = (piece: string): void => {
    if (!unwritten.delete(piece)) {
      write(codes.get(piece) ?? 0, width);
      step();
      return;
    }
    const unit = piece.charCodeAt(0);
    write(unit < 256 ? 0 : 1, width);
    write(unit, unit < 256 ? 8 : 16);
    step();
    step();
  };
  let piece = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charAt(at);
    if (!codes.has(unit)) {
      codes.set(unit, next++);
      unwritten.add(unit);
    }
    if (codes.has(piece + unit)) {
      piece += unit;
      continue;
    }
    writePiece(piece);
    codes.set(piece + unit, next++);
    piece = unit;
  }
  if (piece !== "") writePiece(piece);
  write(2, width);
  return digitsOf(bits);
};

/** A stream of `pieces` codes, each of which stands for one letter more than the one before: n codes give about n * n / 2 letters. */
export const lz64Bomb = (pieces: number): string => {
  const bits: number[] = [];
  const write = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit++) bits.push(Math.floor(value / 2 ** bit) % 2);
  };
  write(0, 2);
  write("a".charCodeAt(0), 8);
  let next = 4;
  let width = 3;
  let left = 4;
  for (let piece = 0; piece < pieces; piece++) {
    write(next++, width);
    left--;
    if (left > 0) continue;
    left = 2 ** width;
    width++;
  }
  write(2, width);
  return digitsOf(bits);
};

/** A stream of about `bytes` digits that repeats one letter code by code: every code adds an entry, so the dictionary is what grows. */
export const lz64Letters = (bytes: number): Buffer => {
  const digits = Buffer.alloc(Math.floor(bytes / 4) * 4, "=");
  let length = 0;
  let digit = 0;
  let filled = 0;
  const write = (value: number, count: number): void => {
    for (let bit = 0; bit < count; bit++) {
      digit = digit * 2 + ((value >>> bit) & 1);
      filled++;
      if (filled < 6) continue;
      digits[length++] = DIGITS.charCodeAt(digit);
      digit = 0;
      filled = 0;
    }
  };
  write(0, 2);
  write("a".charCodeAt(0), 8);
  let width = 3;
  let left = 4;
  while (length < digits.length - 16) {
    write(3, width);
    left--;
    if (left > 0) continue;
    left = 2 ** width;
    width++;
  }
  write(2, width);
  write(0, 6);
  return digits;
};

const digitsOf = (bits: readonly number[]): string => {
  let out = "";
  for (let at = 0; at < bits.length + 1; at += 6) {
    const digit = [0, 1, 2, 3, 4, 5].reduce((value, bit) => value * 2 + (bits[at + bit] ?? 0), 0);
    out += DIGITS.charAt(digit);
  }
  return out.padEnd(Math.ceil(out.length / 4) * 4, "=");
};
