import { Config } from "./config.ts";
import { type Environment, settingName } from "./environment.ts";

/** The settings of a deployment, parsed once from its environment variables; an absent or empty one keeps its default. */
export const settings = (environment: Environment): Config => {
  const given = Object.keys(Config.shape).map((field) => [field, environment[settingName(field)]] as const);
  return Config.parse(Object.fromEntries(given.filter(([, value]) => value !== undefined && value !== "")));
};
