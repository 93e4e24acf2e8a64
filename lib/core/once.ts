/** Makes something at the first call, and gives it to all that follow; after a call that throws the next one makes it. */
export const once = <T>(make: () => T): (() => T) => {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: make() };
    return kept.value;
  };
};
