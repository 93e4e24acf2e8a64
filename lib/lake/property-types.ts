/** The types that the values of a property can have. */
export const PROPERTY_TYPES = ["String", "Numeric", "Boolean", "DateTime"] as const;
export type PropertyType = (typeof PROPERTY_TYPES)[number];

/** Whose property it is; groups by slot. */
export const GROUP_OWNERS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const;
export const PROPERTY_OWNERS = ["event", "person", ...GROUP_OWNERS] as const;
export type PropertyOwner = (typeof PROPERTY_OWNERS)[number];

/** Types by name, of each owner. */
export type TypesByName = ReadonlyMap<string, PropertyType>;
export type OwnedTypes = Readonly<Record<PropertyOwner, TypesByName>>;

/** Events' evidence for types by name, of each owner. */
export type OwnedEvidence = Readonly<Record<PropertyOwner, ReadonlyMap<string, TypeEvidence>>>;

/** A property as one text. */
export const ownedName = (owner: PropertyOwner, name: string): string => `${owner}:${name}`;

/** Bytes of a name as an item writes it: half a character or a control character takes six of them there. */
export const nameBytes = (name: string): number => Buffer.byteLength(JSON.stringify(name));

/** One value for each owner. */
export const ownedBy = <T>(make: (owner: PropertyOwner) => T): Record<PropertyOwner, T> => ({
  event: make("event"),
  person: make("person"),
  group_0: make("group_0"),
  group_1: make("group_1"),
  group_2: make("group_2"),
  group_3: make("group_3"),
  group_4: make("group_4"),
});

/**
 * How many events spoke for each type of a property: a sketch of 32 bits for each, of which an event sets the one that its identity
 * chooses. Whatever the order, the split and the repetition in which events come, their sketches are the same in the end.
 */
export type TypeEvidence = Readonly<Record<PropertyType, number>>;

/** A sketch with all bits set. */
const FULL = -1;
const LAST_BIT = 31n;

/** Events for one type count up to this many bits, which is about nine events: more of them say nothing new. */
const ENOUGH = 8;

export const NO_EVIDENCE: TypeEvidence = Object.freeze({ String: 0, Numeric: 0, Boolean: 0, DateTime: 0 });

/** So many events for a type that no more are needed. */
export const settledAs = (type: PropertyType): TypeEvidence => SETTLED[type];

const SETTLED: Readonly<Record<PropertyType, TypeEvidence>> = {
  String: { ...NO_EVIDENCE, String: FULL },
  Numeric: { ...NO_EVIDENCE, Numeric: FULL },
  Boolean: { ...NO_EVIDENCE, Boolean: FULL },
  DateTime: { ...NO_EVIDENCE, DateTime: FULL },
};

/** With a further event for a type; the very same when that says nothing new. */
export const withEvent = (evidence: TypeEvidence, type: PropertyType, identity: bigint): TypeEvidence => {
  const bit = 1 << Number(identity & LAST_BIT);
  if ((evidence[type] & bit) !== 0 || sketchCount(evidence[type]) === ENOUGH || isTextForGood(evidence)) return evidence;
  return { ...evidence, [type]: evidence[type] | bit };
};

/** What both say; the very same as the first when the second says nothing new. */
export const withEvidence = (evidence: TypeEvidence, more: TypeEvidence): TypeEvidence => {
  if (isTextForGood(evidence)) return evidence;
  const nextSketch = (type: PropertyType): number =>
    sketchCount(evidence[type]) === ENOUGH ? evidence[type] : evidence[type] | more[type];
  const next = {
    String: nextSketch("String"),
    Numeric: nextSketch("Numeric"),
    Boolean: nextSketch("Boolean"),
    DateTime: nextSketch("DateTime"),
  };
  return TYPED.every((type) => next[type] === evidence[type]) && next.String === evidence.String ? evidence : next;
};

/** The type for which more events spoke than for all others together; text where there is none. */
export const typeOfEvidence = (evidence: TypeEvidence): PropertyType => {
  const type = leadingType(evidence);
  return sketchCount(evidence[type]) > against(evidence) ? type : "String";
};

/** Nothing that may come changes the type, or is needed to know when it has to change. */
export const isSettled = (evidence: TypeEvidence): boolean => {
  if (isTextForGood(evidence)) return true;
  return against(evidence) === 0 && sketchCount(evidence[leadingType(evidence)]) === ENOUGH;
};

/** Events spoke for more than one type. */
export const isMixed = (evidence: TypeEvidence): boolean =>
  [evidence.String, ...TYPED.map((type) => evidence[type])].filter((sketch) => sketch !== 0).length > 1;

/** Events that spoke for another type than this one, as far as they are counted: from `ENOUGH` on they may be more. */
export const strayEvents = (evidence: TypeEvidence, type: PropertyType): number =>
  PROPERTY_TYPES.reduce((sum, other) => (other === type ? sum : sum + sketchCount(evidence[other])), 0);

const TYPED = ["Numeric", "Boolean", "DateTime"] as const;

/** The type, text apart, for which most events spoke. */
const leadingType = (evidence: TypeEvidence): (typeof TYPED)[number] => {
  let lead: (typeof TYPED)[number] = "Numeric";
  for (const type of TYPED) if (sketchCount(evidence[type]) > sketchCount(evidence[lead])) lead = type;
  return lead;
};

const against = (evidence: TypeEvidence): number => {
  const all = TYPED.reduce((sum, type) => sum + sketchCount(evidence[type]), sketchCount(evidence.String));
  return all - sketchCount(evidence[leadingType(evidence)]);
};

/** No number of events for another type outweighs these. */
const isTextForGood = (evidence: TypeEvidence): boolean => against(evidence) >= ENOUGH;

const sketchCount = (sketch: number): number => {
  let count = 0;
  for (let rest = sketch; rest !== 0; rest &= rest - 1) count += 1;
  return Math.min(count, ENOUGH);
};
