import { SECOND_MS } from "../../../lib/core/time.ts";

/** Where progress is told, and how often: on a terminal in place, elsewhere line by line. */
export interface Teller {
  now(): number;
  tell(text: string): void;
  readonly isTerminal: boolean;
}

export const standardError: Teller = {
  now: () => performance.now(),
  tell: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY === true,
};

const EVERY_MS = { terminal: 500, file: 5_000 };

/** How far an import is: records read, and the share of its bytes, since this command began. */
export interface Position {
  readonly file: string;
  readonly read: number;
  readonly share: number;
}

/** Tells how far it is now and then, with the rate and the time that is left at that rate. */
export const progressLine = (teller: Teller, begun: Position): { at(position: Position): void; end(): void } => {
  const began = teller.now();
  let next = began + (teller.isTerminal ? EVERY_MS.terminal : EVERY_MS.file);
  let told = false;
  return {
    at(position) {
      const now = teller.now();
      if (now < next) return;
      next = now + (teller.isTerminal ? EVERY_MS.terminal : EVERY_MS.file);
      told = true;
      const text = lineOf(position, begun, now - began);
      teller.tell(teller.isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
    },
    end: () => void (told && teller.isTerminal && teller.tell("\r\u001b[K")),
  };
};

const lineOf = ({ file, read, share }: Position, begun: Position, ms: number): string => {
  const rate = ((read - begun.read) * SECOND_MS) / ms;
  const done = share - begun.share;
  const left = done > 0 ? `, ${duration((ms * (1 - share)) / done)} left` : "";
  return `${file}: ${whole(read)} read, ${whole(rate)}/s, ${Math.floor(share * 100)} %${left}`;
};

/** A number with its thousands apart. */
export const whole = (number: number): string => Math.round(number).toLocaleString("en-US");

const MINUTE_S = 60;
const HOUR_S = 3600;

const duration = (ms: number): string => {
  const seconds = Math.ceil(ms / SECOND_MS);
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S) return `${Math.ceil(seconds / MINUTE_S)} min`;
  return `${Math.floor(seconds / HOUR_S)} h ${Math.ceil((seconds % HOUR_S) / MINUTE_S)} min`;
};
