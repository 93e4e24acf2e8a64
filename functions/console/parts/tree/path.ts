/** The way from a whole value to a part of it: names of fields, and places in lists from 0. */
export type Path = readonly (string | number)[];

const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** A path as it is written in a program: `properties.$exception_list[0].type`, `properties["odd name"]`. */
export const pathText = (path: Path): string =>
  path.reduce<string>((before, part) => {
    if (typeof part === "number") return `${before}[${part}]`;
    if (!PLAIN.test(part)) return `${before}[${JSON.stringify(part)}]`;
    return before === "" ? part : `${before}.${part}`;
  }, "");
