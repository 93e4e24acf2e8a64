import type { Random } from "../../simulation/random.ts";
import { oddValue } from "./odd.ts";

type Container = Record<string, unknown> | unknown[];

/** A value with some places of it changed: replaced, left out, doubled or grown. The value itself stays as it was. */
export const mutated = (value: unknown, random: Random): unknown => {
  const holder = { it: structuredClone(value) };
  for (let changes = random.int(1, 3); changes > 0; changes -= 1) {
    const places = placesIn(holder);
    const place = places[random.int(0, places.length - 1)];
    if (place !== undefined) change(place.of, place.key, random);
  }
  return holder.it;
};

interface Place {
  readonly of: Container;
  readonly key: string;
}

const placesIn = (root: Container): readonly Place[] => {
  const places: Place[] = [];
  const open: Container[] = [root];
  for (let of = open.pop(); of !== undefined && places.length < 2_000; of = open.pop()) {
    for (const [key, inner] of Object.entries(of)) {
      places.push({ of, key });
      if (typeof inner === "object" && inner !== null) open.push(inner as Container);
    }
  }
  return places;
};

const change = (of: Container, key: string, random: Random): void => {
  const inner: unknown = Reflect.get(of, key);
  switch (random.int(0, 5)) {
    case 0:
      if (key !== "it") Reflect.deleteProperty(of, key);
      return;
    case 1:
      if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) Reflect.set(inner, "unknown_field", oddValue(random));
      return;
    case 2:
      Reflect.set(of, key, [inner]);
      return;
    case 3:
      Reflect.set(of, key, typeof inner === "string" ? inner.repeat(2) : Array.isArray(inner) ? [...inner, ...inner] : String(inner));
      return;
    default:
      Reflect.set(of, key, oddValue(random));
  }
};
