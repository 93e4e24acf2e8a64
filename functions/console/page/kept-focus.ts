const CONTROLS = 'button:enabled, a[href], input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]';

/**
 * Keeps the focus of whoever works by keys. What has it may go: a button gives way to a form, a row is removed, a view follows another. A
 * browser then begins again at the top of the page. Here the focus goes to what came in its place, else to what stands beside it, and to
 * the view itself where all of it is another.
 */
export const keepFocus = (): void => {
  let last: Element | null = null;
  addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : null;
  });
  // Whoever presses beside all controls has the focus nowhere, and may keep it there.
  addEventListener("pointerdown", () => (last = null), { capture: true });
  new MutationObserver((changes) => {
    if (last === null || last.isConnected || document.activeElement !== document.body) return;
    const next = inPlaceOf(last, changes) ?? ofView();
    last = null;
    if (next instanceof HTMLElement) next.focus();
  }).observe(document.body, { childList: true, subtree: true });
};

/** The view itself, or the first control of one that takes no focus, as where somebody signs in. */
const ofView = (): Element | undefined => {
  const view = document.querySelector("main");
  return view?.hasAttribute("tabindex") ? view : firstControl(view);
};

const inPlaceOf = (gone: Element, changes: readonly MutationRecord[]): Element | undefined => {
  const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)));
  if (change === undefined || [...change.removedNodes].some(isView)) return undefined;
  const came = changes.filter(({ target }) => target === change.target).flatMap(({ addedNodes }) => [...addedNodes]);
  return [...came, change.nextSibling, change.previousSibling].map(firstControl).find((control) => control !== undefined);
};

const isView = (node: Node): boolean => node instanceof Element && (node.matches("main") || node.querySelector("main") !== null);

const firstControl = (node: Node | null): Element | undefined => {
  if (!(node instanceof Element && node.isConnected)) return undefined;
  return node.matches(CONTROLS) ? node : (node.querySelector(CONTROLS) ?? undefined);
};
