/**
 * Loaded before anything else (`node --import`): every process and thread of the platform begins at one moment of a day long known, so
 * that what depends on the date (periods, labels, trials) is the same with every recording. Time goes on from there as it does anywhere.
 */

import { BEGINNING } from "./beginning.ts";

/** The first process decides; what it starts inherits its environment. */
process.env.EXAMPLES_TIME_SHIFT ??= String(BEGINNING - Date.now());
const shift = Number(process.env.EXAMPLES_TIME_SHIFT);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [RealDate.now() + shift] : given, newTarget === globalThis.Date ? target : newTarget),
  apply: () => new RealDate(RealDate.now() + shift).toString(),
  get: (target, name) => (name === "now" ? () => RealDate.now() + shift : Reflect.get(target, name)),
});
