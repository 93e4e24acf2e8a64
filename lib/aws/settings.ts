import { type Config, readConfig } from "../ports/config.ts";
import { type Environment, settingName } from "./environment.ts";

/** The settings of a deployment, read once from its environment variables; an absent or empty one keeps its default. */
export const settings = (environment: Environment): Config => readConfig((field) => environment[settingName(field)] || undefined);
