import { createContext } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import { ROOT } from "../calls/client.ts";

/** Where somebody is: everything that a view shows follows from it. */
export interface Address {
  /** The parts of the path below the root: `project`, its id, the view, and what is open in it. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

const BASE = new URL(ROOT).pathname;

export const currentAddress = (): Address => ({
  parts: location.pathname.slice(BASE.length).split("/").filter(Boolean).map(decoded),
  query: new URLSearchParams(location.search),
});

/** A part as it was before it was written into an address. What somebody typed need not have been: it is taken as it stands. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const MOVED = "console-moved";

/** Goes to an address below the root, as `project/1/live?event=signup`. With `replace` the back button passes over the place that is left. */
export const go = (to: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
  const url = new URL(to, ROOT);
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  dispatchEvent(new Event(MOVED));
};

/** The same address with some of its query changed; undefined takes a name out. */
export const withQuery = (address: Address, changes: Readonly<Record<string, string | undefined>>): string => {
  const query = new URLSearchParams(address.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return address.parts.map(encodeURIComponent).join("/") + (text && `?${text}`);
};

const AddressContext = createContext<Address>({ parts: [], query: new URLSearchParams() });
export const AddressProvider = AddressContext.Provider;

/** The address, followed as it changes. For the root alone; parts below read it by `useAddress`. */
export const useLocation = (): Address => {
  const [address, set] = useState(currentAddress);
  // As for keys: who goes on before the next picture is followed.
  useLayoutEffect(() => {
    const moved = (): void => set(currentAddress());
    addEventListener("popstate", moved);
    addEventListener(MOVED, moved);
    return () => {
      removeEventListener("popstate", moved);
      removeEventListener(MOVED, moved);
    };
  }, []);
  return address;
};

export const useAddress = (): Address => useContext(AddressContext);

/** Follows a link within the console without loading the page again. */
export const follow = (event: MouseEvent): void => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.composedPath().find((each): each is HTMLAnchorElement => each instanceof HTMLAnchorElement);
  if (link === undefined || !isFollowed(link)) return;
  event.preventDefault();
  go(link.href);
};

/** `docs/`, `api/` and `shared/` lie on the same host and are no views; a place within the page is the browser's own to go to. */
const isFollowed = ({ href, hash, target, download }: HTMLAnchorElement): boolean =>
  target === "" && download === "" && hash === "" && (href === ROOT || href.startsWith(`${ROOT}project/`));
