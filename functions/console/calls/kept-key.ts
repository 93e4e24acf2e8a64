const NAME = "analytics-key";

/** The key that this tab, or the device, has kept. */
export const keptKey = (): string | undefined => sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME) ?? undefined;

/** Whether it is the device that keeps it, beyond this tab. */
export const isRemembered = (): boolean => localStorage.getItem(NAME) !== null;

/** Keeps a key for this tab, or on the device. */
export const keepKey = (key: string, { remember }: { readonly remember: boolean }): void => {
  const [kept, other] = remember ? [localStorage, sessionStorage] : [sessionStorage, localStorage];
  kept.setItem(NAME, key);
  other.removeItem(NAME);
};

/** Calls back when another tab puts a key on the device or takes it away. A tab that keeps a key of its own goes on with that. */
export const onKeyOfDevice = (changed: (key: string | undefined) => void): (() => void) => {
  const hear = ({ key }: StorageEvent): void => {
    if (key === NAME && sessionStorage.getItem(NAME) === null) changed(keptKey());
  };
  addEventListener("storage", hear);
  return () => removeEventListener("storage", hear);
};

export const forgetKey = (): void => {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
};
