const NAME = "analytics-key";

/** The key that this tab, or the device, has kept. */
export const keptKey = (): string | undefined => sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME) ?? undefined;

/** Whether it is the device that keeps it, beyond this tab. */
export const isRemembered = (): boolean => localStorage.getItem(NAME) !== null;

/** Keeps a key for this tab, or on the device. */
export const keepKey = (key: string, { remember }: { readonly remember: boolean }): void => {
  forgetKey();
  (remember ? localStorage : sessionStorage).setItem(NAME, key);
};

export const forgetKey = (): void => {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
};
