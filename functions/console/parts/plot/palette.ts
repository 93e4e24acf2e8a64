/** The colours of a plot as the page's theme has them now. */
export interface Palette {
  readonly series: readonly string[];
  readonly ink: string;
  readonly soft: string;
  readonly line: string;
  readonly ground: string;
  readonly font: string;
}

/** How many series differ by colour alone. */
export const SERIES_COLOURS = 8;

/** Reads the theme's variables where `place` stands: a canvas has to be told colours without them. */
export const readPalette = (place: HTMLElement): Palette => {
  const probe = document.createElement("span");
  place.append(probe);
  const style = getComputedStyle(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return style.color;
  };
  const palette = {
    series: Array.from({ length: SERIES_COLOURS }, (_, at) => colour(`series-${at + 1}`)),
    ink: colour("ink"),
    soft: colour("soft"),
    line: colour("line"),
    ground: colour("ground"),
    font: `12px ${style.fontFamily}`,
  };
  probe.remove();
  return palette;
};

/** Calls back when the theme changes, by the system or by choice. Gives what ends that. */
export const onTheme = (changed: () => void): (() => void) => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const choice = new MutationObserver(changed);
  choice.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    choice.disconnect();
    system.removeEventListener("change", changed);
  };
};
