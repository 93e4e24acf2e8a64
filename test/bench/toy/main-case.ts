import { endGroupsWithUs } from "../../support/processes/process-group.ts";
import { runParts } from "../run-parts.ts";

endGroupsWithUs();
await runParts(new URL("./parts.ts", import.meta.url), [{ name: "lasts" }], () => undefined);
