import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { components } from "./api.d.ts";

/** Who a key speaks for, what it may do and where. */
export type Who = components["schemas"]["CurrentPersonalApiKey"];
export type ReachedProject = Who["projects"][number];

export interface Session {
  readonly key: string | undefined;
  readonly who: Who | undefined;
  /** Why the key was put aside, or why it is not known yet whose it is. */
  readonly because: string | undefined;
  /** Whether the key has a scope; a key that writes a thing also reads it. */
  may(scope: string): boolean;
  /** Throws the API's problem where the key opens nothing. */
  signIn(key: string, options: { readonly remember: boolean }): Promise<void>;
  /** Asks again whose key it is, where nothing answered. */
  again(): void;
  /** Goes on with the new value of the same key: it is kept where the one before was. */
  replaceKey(key: string): void;
  /** Forgets the key here and on the device. */
  signOut(because?: string): void;
}

const SessionContext = createContext<Session | undefined>(undefined);
export const SessionProvider = SessionContext.Provider;

export const useSession = (): Session => {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("there is no session around this part");
  return session;
};

export const mayWith = (scopes: readonly string[], scope: string): boolean =>
  scopes.includes("*") || scopes.includes(scope) || (scope.endsWith(":read") && scopes.includes(scope.replace(/:read$/, ":write")));
