import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holes } from "../../lib/core/template.ts";
import { INDEXES } from "../../lib/ports/table.ts";
import { keyPart } from "../../lib/table/key-part.ts";
import { listKeys, PARTITIONS, partitionNames } from "../../lib/table/partitions.ts";

/** A family of keys: templates, and who declares them. */
interface Family {
  readonly of: string;
  readonly pk: string;
  readonly sk: string;
}

/** As far as a family needs it. */
interface Declared {
  readonly name: string;
  readonly key: { readonly pk: string; readonly sk: string };
  readonly patterns: Readonly<Record<string, { readonly index: string; readonly pk: string; readonly sk: string }>>;
}

const isDeclared = (value: unknown): value is Declared =>
  typeof value === "object" && value !== null && "name" in value && "key" in value && "patterns" in value;

const files = globSync("lib/**/*.ts").filter(
  (file) => !file.endsWith(".test.ts") && /from "[^"]*\/entity\.ts"/.test(readFileSync(file, "utf8")),
);
const modules = await Promise.all(files.map((file): Promise<object> => import(pathToFileURL(resolve(file)).href)));
const declared = [
  ...new Map(modules.flatMap((module) => Object.values(module).filter(isDeclared)).map((each) => [each.name, each])).values(),
];

const blank = (template: string): string => template.replace(/\{[^}]+\}/g, "{}");

const ofEntities: readonly Family[] = declared.map(({ name, key }) => ({ of: name, ...key }));
const ofPartitions: readonly Family[] = partitionNames.flatMap((name) => {
  const partition: { readonly pk: string; readonly items?: Readonly<Record<string, string>> } = PARTITIONS[name];
  return Object.entries(partition.items ?? {}).map(([item, sk]) => ({ of: `${name}.${item}`, pk: partition.pk, sk }));
});

/** Entities that share a key on purpose: whatever kind of key it is, one read finds it, and the item's `entity` names the kind. */
const KEYS = ["personal-api-key", "project-secret-key", "team-secret-token"];

/** What a template says, a part between two `#` after the other. */
const parts = (template: string): readonly string[] => blank(template).split("#");

/** Whether values could be filled in such that both templates give the same text. */
const canMeet = (one: string, other: string): boolean => {
  const [a, b] = [parts(one), parts(other)];
  return a.length === b.length && a.every((part, at) => part === b[at] || part.includes("{}") || b[at]?.includes("{}"));
};

const isSame = (a: Family, b: Family): boolean => blank(a.pk) === blank(b.pk) && blank(a.sk) === blank(b.sk);

const pairs = <T>(all: readonly T[]): readonly (readonly [T, T])[] =>
  all.flatMap((one, at) => all.slice(at + 1).map((other) => [one, other] as const));

describe("the keys of the single table", () => {
  it("lie in partitions that the table knows, whoever describes them", () => {
    const known = new Set(Object.values(PARTITIONS).map(({ pk }) => blank(pk)));
    expect(ofEntities.filter(({ pk }) => !known.has(blank(pk)))).toEqual([]);
    expect(declared.length).toBeGreaterThan(30);
  });

  it("belong to one partition only: no value makes the key of one partition that of another", () => {
    const all = Object.values(PARTITIONS).map(({ pk }) => pk);
    expect(pairs(all).filter(([one, other]) => canMeet(one, other))).toEqual([]);
  });

  it("belong to one family only: within a partition no value makes the sort key of one that of another", () => {
    const meeting = pairs([...ofEntities, ...ofPartitions.filter((raw) => !ofEntities.some((entity) => isSame(raw, entity)))])
      .filter(([one, other]) => blank(one.pk) === blank(other.pk) && canMeet(one.sk, other.sk))
      .filter(([one, other]) => !(KEYS.includes(one.of) && KEYS.includes(other.of)));
    expect(meeting).toEqual([]);
  });

  it("are told apart in each index, too", () => {
    const indexed = declared.flatMap(({ name, patterns }) => Object.values(patterns).map((pattern) => ({ of: name, ...pattern })));
    const meeting = pairs(indexed).filter(
      ([one, other]) => one.index === other.index && one.of !== other.of && canMeet(one.pk, other.pk) && canMeet(one.sk, other.sk),
    );
    expect(meeting.map(([one, other]) => [one.of, other.of]).filter((both) => !both.every((of) => KEYS.includes(of)))).toEqual([]);
  });

  it("are listed in an index under the keys that their partition names, by which listing is granted", () => {
    const listedOf = (pk: string, index: string): readonly string[] =>
      partitionNames
        .filter((name) => blank(PARTITIONS[name].pk) === blank(pk))
        .flatMap((name) => INDEXES.filter((each) => each === index).flatMap((each) => listKeys(name, each).map(blank)));
    const strays = declared.flatMap(({ name, key, patterns }) =>
      Object.values(patterns).flatMap(({ index, pk }) => (listedOf(key.pk, index).includes(blank(pk)) ? [] : [`${name}: ${pk}`])),
    );
    expect(strays).toEqual([]);
  });

  it("never span parts: a value in a hole adds no separator, whatever it holds", () => {
    const place = fc.constantFrom("pk" as const, "sk" as const);
    void fc.assert(
      fc.property(fc.oneof(fc.string(), fc.nat()), place, (value, at) => {
        expect(keyPart(value, at)).not.toContain("#");
      }),
    );
  });

  it("end with their owner by one hole, its id, where a partition ends with an organization or a project", () => {
    const ending = Object.values(PARTITIONS).filter(
      ({ onRemoval }) => onRemoval === "with its organization" || onRemoval === "with its project",
    );
    const odd = ending.filter(({ pk, onRemoval }) => holes(pk).join() !== (onRemoval === "with its project" ? "project" : "organization"));
    expect(odd).toEqual([]);
  });
});
