import type { SecretField } from "../ports/config.ts";
import type { FunctionNeeds, SettingGroup } from "./uses.ts";

const GROUP_SECRETS: Readonly<Partial<Record<SettingGroup, readonly SecretField[]>>> = {
  payments: ["stripeSecretKey", "stripeWebhookSecret", "billingLicense"],
  "billing license": ["billingLicense"],
  canary: ["canaryKey"],
  providers: ["githubToken", "gitlabToken"],
};

/** The secrets that a function reads where its stage has them: those of its settings, and the password of what runs large queries. */
export const secretFields = ({ uses, settings = [] }: Pick<FunctionNeeds, "uses" | "settings">): readonly SecretField[] => [
  ...settings.flatMap((group) => GROUP_SECRETS[group] ?? []),
  ...(uses.engine ? (["clickhousePassword"] as const) : []),
];
