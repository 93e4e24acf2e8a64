import { KEPT_OUTPUTS, stackNames } from "../outputs.ts";
import type { StageSettings } from "../stage-settings.ts";
import type { Account } from "./account.ts";
import type { StackResource } from "./stack-account.ts";

/** The names of a stage's table and bucket, as far as there are any. */
export interface KeptData {
  readonly table: string | undefined;
  readonly bucket: string | undefined;
}

const TYPES = { table: "AWS::DynamoDB::GlobalTable", bucket: "AWS::S3::Bucket" } as const;
const SETTINGS = { table: "keptTable", bucket: "keptBucket" } as const;
const KINDS = ["table", "bucket"] as const;
type Kind = (typeof KINDS)[number];

const ofKind = (resources: readonly StackResource[] | undefined, kind: Kind): StackResource | undefined =>
  resources?.find(({ type }) => type === TYPES[kind]);

/** What stays when a stage goes: what its data stack holds or left, and where that has gone already, what an earlier `destroy` wrote down. */
export const keptData = async (account: Pick<Account, "resources">, stage: string, settings: StageSettings): Promise<KeptData> => {
  const resources = await account.resources(stackNames(stage).data);
  const named = (kind: Kind): string | undefined => ofKind(resources, kind)?.name ?? settings[SETTINGS[kind]];
  return { table: named("table"), bucket: named("bucket") };
};

/** The same as settings, so that the next deploy goes on with it. */
export const keptSettings = (kept: KeptData): readonly string[] =>
  KINDS.flatMap((kind) => (kept[kind] === undefined ? [] : [`${SETTINGS[kind]}=${kept[kind]}`]));

/**
 * The settings that a deploy has to change first. What a deploy left that failed is gone on with. What the data stack made itself and still
 * holds is no kept one, even where a `destroy` that was broken off wrote it down: the stack would be asked to make a second one of its name.
 */
export const settingsBefore = async (
  account: Pick<Account, "resources" | "outputs">,
  stage: string,
  settings: StageSettings,
): Promise<readonly string[]> => {
  const { data } = stackNames(stage);
  const [resources, outputs] = await Promise.all([account.resources(data), account.outputs(data)]);
  return KINDS.flatMap((kind) => {
    const found = ofKind(resources, kind);
    if (found === undefined) return [];
    if (found.left) return settings[SETTINGS[kind]] === undefined ? [`${SETTINGS[kind]}=${found.name}`] : [];
    return settings[SETTINGS[kind]] === found.name && !outputs?.has(KEPT_OUTPUTS[kind]) ? [`${SETTINGS[kind]}=`] : [];
  });
};
