/** What one event does to persons and groups, in the words of the contract; nothing here comes from the product. */
export interface Happening {
  /** Microseconds since 1970. */
  readonly time: number;
  readonly index?: number;
  readonly uuid: string;
  readonly id: string;
  readonly merge: { readonly kind: "identify" | "alias" | "merge_dangerously"; readonly source: string } | null;
  readonly set: Readonly<Record<string, unknown>> | null;
  readonly setOnce: Readonly<Record<string, unknown>> | null;
  readonly unset: readonly string[] | null;
  readonly group: { readonly key: string; readonly set: Readonly<Record<string, unknown>> } | null;
}

interface Someone {
  root: string;
  created: number;
  seen: number;
  identified: boolean;
  properties: Record<string, unknown>;
}

/** Persons, ids that are not their own person's root, and groups, each row as text-like values and sorted by its key. */
export interface People {
  readonly persons: readonly (readonly [root: string, row: PersonSaid])[];
  readonly distinctIds: readonly (readonly [id: string, root: string])[];
  readonly groups: readonly (readonly [key: string, said: GroupSaid])[];
}

export interface PersonSaid {
  readonly created_at: bigint;
  readonly last_seen_at: bigint;
  readonly is_identified: boolean;
  /** JSON with sorted keys. */
  readonly properties: string;
}

export interface GroupSaid {
  readonly created_at: bigint;
  readonly updated_at: bigint;
  readonly properties: string;
}

/** The rules, carried out one event after the other on everything at once: what all splits have to equal. */
export const inOrder = (events: readonly Happening[]): People => {
  const people = new Map<string, Someone>();
  const groups = new Map<string, { created: number; updated: number; properties: Record<string, unknown> }>();
  for (const event of events.toSorted(byPlace)) {
    if (event.merge) merge(people, event, event.merge);
    const person = people.get(event.id) ?? someone(event.id, event.time);
    people.set(event.id, person);
    person.seen = Math.max(person.seen, event.time);
    for (const [key, value] of Object.entries(event.setOnce ?? {})) if (!(key in person.properties)) person.properties[key] = value;
    Object.assign(person.properties, event.set);
    for (const key of event.unset ?? []) delete person.properties[key];
    if (event.group) {
      const { key, set } = event.group;
      const known = groups.get(key) ?? { created: event.time, updated: event.time, properties: {} };
      groups.set(key, { created: known.created, updated: event.time, properties: { ...known.properties, ...set } });
    }
  }
  return {
    persons: [...new Set(people.values())].map((one) => [one.root, saidOf(one)] as const).sort(byKey),
    distinctIds: [...people].flatMap(([id, { root }]) => (id === root ? [] : [[id, root] as const])).sort(byKey),
    groups: [...groups].map(([key, group]) => [key, groupSaid(group)] as const).sort(byKey),
  };
};

const someone = (root: string, time: number): Someone => ({ root, created: time, seen: time, identified: false, properties: {} });

const merge = (people: Map<string, Someone>, { id, time }: Happening, { kind, source: from }: NonNullable<Happening["merge"]>): void => {
  const [source, target] = [people.get(from), people.get(id)];
  if (!source || !target) {
    const person = target ?? source ?? someone(id, time);
    people.set(id, person).set(from, person);
    person.identified = true;
    return;
  }
  target.identified = true;
  // Refused: whoever is identified is nobody else.
  if (source === target || (kind !== "merge_dangerously" && source.identified)) return;
  target.properties = { ...source.properties, ...target.properties };
  target.created = Math.min(target.created, source.created);
  target.seen = Math.max(target.seen, source.seen);
  for (const [own, person] of people) if (person === source) people.set(own, target);
};

const byPlace = (a: Happening, b: Happening): number =>
  a.time - b.time || (a.index ?? 0) - (b.index ?? 0) || (a.uuid < b.uuid ? -1 : a.uuid > b.uuid ? 1 : 0);

const saidOf = ({ created, seen, identified, properties }: Someone): PersonSaid => ({
  created_at: BigInt(created),
  last_seen_at: BigInt(seen),
  is_identified: identified,
  properties: sortedText(properties),
});

const groupSaid = ({ created, updated, properties }: { created: number; updated: number; properties: object }): GroupSaid => ({
  created_at: BigInt(created),
  updated_at: BigInt(updated),
  properties: sortedText(properties),
});

export const sortedText = (properties: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(properties).sort(([a], [b]) => (a < b ? -1 : 1))));

export const byKey = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);
