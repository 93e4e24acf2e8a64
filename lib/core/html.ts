/** Markup that stands in a page as it is; everything else is text. */
export interface Markup {
  readonly markup: string;
}

type Inserted = string | number | Markup | readonly Markup[];

/** A piece of a page: the texts that are put into it stay texts, whatever signs they hold. */
export const html = (parts: TemplateStringsArray, ...values: readonly Inserted[]): Markup => ({
  markup: parts.map((part, at) => part + inserted(values[at] ?? "")).join(""),
});

const inserted = (value: Inserted): string => {
  if (typeof value === "string" || typeof value === "number") return escaped(String(value));
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
