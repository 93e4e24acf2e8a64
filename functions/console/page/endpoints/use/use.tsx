import { curl } from "../../../calls/client.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Code } from "../../../parts/code/code.tsx";
import { saveFile } from "../../../parts/file/file.ts";
import { Loaded } from "../../../parts/state/state.tsx";
import { description, run } from "../calls.ts";
import { exampleValues, runVariables } from "../run/variables.ts";
import type { TabProps } from "../tab-props.ts";
import { pythonSamples, typescriptSamples } from "./samples.ts";

/** How programs run the endpoint. */
export const Use = ({ place, endpoint }: TabProps) => {
  const call = description(place);
  const described = useCall(call, { freshMs: 60_000 });
  return (
    <Loaded of={described} lines={10}>
      {(document) => {
        const variables = exampleValues(runVariables(document, endpoint));
        const hasVariables = Object.keys(variables).length > 0;
        const sample = {
          endpoint,
          variables,
          root: serverUrl(document),
          file: `${endpoint.name}.json`,
          fetchOlder: curl(description(place, { openapi: "3.0" })),
        };
        return (
          <div class="endpoint-use">
            <section class="endpoint-section">
              <h2>Call it</h2>
              <Code text={curl(run(place, hasVariables ? { variables } : {}))} label="curl" />
              <p>
                A back end takes a project secret key (<code>phs_…</code>) with the scope <code>endpoint:read</code> alone: it can run the
                endpoints of this project and nothing else. A personal key (<code>phx_…</code>) with that scope does, too. No key belongs
                into a page or an app.
              </p>
            </section>
            <section class="endpoint-section">
              <h2>OpenAPI</h2>
              <p>
                A document with the run of version {endpoint.current_version} as its only operation: its variables, which of them it needs,
                and its rows. Clients are generated from it. Only a personal key with <code>endpoint:read</code> reads it.
              </p>
              <div class="endpoint-buttons">
                <button
                  type="button"
                  onClick={() => saveFile(sample.file, new Blob([JSON.stringify(document, null, 2)], { type: "application/json" }))}
                >
                  Download {sample.file}
                </button>
              </div>
              <Code text={`${curl(call)} > ${sample.file}`} label="The same in a terminal" />
            </section>
            <section class="endpoint-section">
              <h2>Typed client in TypeScript</h2>
              {typescriptSamples(sample).map((each) => (
                <Code key={each.label} {...each} />
              ))}
            </section>
            <section class="endpoint-section">
              <h2>Typed client in Python</h2>
              {pythonSamples(sample).map((each) => (
                <Code key={each.label} {...each} />
              ))}
            </section>
          </div>
        );
      }}
    </Loaded>
  );
};

interface Described {
  readonly servers?: readonly { readonly url: string }[];
}

/** Where the API lies, as the document says it. */
const serverUrl = (document: object): string => (document as Described).servers?.[0]?.url ?? "";
