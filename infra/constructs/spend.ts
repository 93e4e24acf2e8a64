import type { Construct } from "constructs";
import { Defect } from "../../lib/core/unreachable.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { UserError } from "../local/user-error.ts";
import { environmentOf, given } from "./settings.ts";

const FIELDS = ["llmAnalyticsProjectId", "personalSpendShape"] as const;

/** The settings of the function that shows spend, read as it will read them. */
export const spendEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  environmentOf(
    FIELDS.map((field) => {
      const value = given(scope, field);
      try {
        readConfig((name) => (name === field ? value : undefined));
      } catch (error) {
        if (error instanceof Defect) throw new UserError(`${error.message}.`);
        throw error;
      }
      return [field, value] as const;
    }),
  );
