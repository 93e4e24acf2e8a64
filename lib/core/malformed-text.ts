/**
 * Where a JSON value holds half of a surrogate pair, which is no character and which no store takes: the way to the first such text,
 * null where there is none. A name of a field counts, too. Walks without recursion, so any depth will do.
 */
export const malformedText = (value: unknown): readonly (string | number)[] | null => {
  const open: VisitedPlace[] = [{ value, key: null, above: null }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const found = place.value;
    if (typeof found === "string" && !found.isWellFormed()) return wayTo(place);
    if (typeof found !== "object" || found === null) continue;
    const entries = Array.isArray(found) ? found.entries() : Object.entries(found);
    for (const [key, inner] of entries) {
      const below: VisitedPlace = { value: inner, key, above: place };
      if (typeof key === "string" && !key.isWellFormed()) return wayTo(below).map(makeWellFormed);
      open.push(below);
    }
  }
  return null;
};

interface VisitedPlace {
  readonly value: unknown;
  readonly key: string | number | null;
  readonly above: VisitedPlace | null;
}

const makeWellFormed = (key: string | number): string | number => (typeof key === "string" ? key.toWellFormed() : key);

const wayTo = (place: VisitedPlace): readonly (string | number)[] => {
  const way: (string | number)[] = [];
  for (let at: VisitedPlace | null = place; at !== null; at = at.above) if (at.key !== null) way.push(at.key);
  return way.reverse();
};
