import type { Endpoint } from "../calls.ts";

interface Sample {
  readonly endpoint: Pick<Endpoint, "name" | "endpoint_path">;
  /** Values of variables to show. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Where the API lies, without a final slash. */
  readonly root: string;
  /** The name of the OpenAPI document. */
  readonly file: string;
  /** The command that fetches the document in the older form of OpenAPI. */
  readonly fetchOlder: string;
}

interface Text {
  readonly label: string;
  readonly text: string;
}

export const typescriptSamples = ({ endpoint: { name, endpoint_path }, variables, root, file }: Sample): readonly Text[] => [
  { label: "In a terminal", text: `npm install openapi-fetch\nnpx openapi-typescript ${file} -o ${name}.ts --default-non-nullable=false` },
  {
    label: "run.ts",
    text: `import createClient from "openapi-fetch";
import type { paths } from "./${name}.ts";

const client = createClient<paths>({
  baseUrl: ${JSON.stringify(root)},
  headers: { Authorization: \`Bearer \${process.env.KEY}\` },
});

const { data, error, response } = await client.POST(${JSON.stringify(endpoint_path)}, {
  body: ${typescriptBody(variables)},
});
if (!data) throw new Error(\`\${response.status} \${JSON.stringify(error)}\`);
for (const row of data.results) console.log(row);`,
  },
];

const typescriptBody = (variables: Sample["variables"]): string => {
  const pairs = Object.entries(variables).map(
    ([name, value]) => `${IDENTIFIER.test(name) ? name : JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return pairs.length === 0 ? "{}" : `{ variables: { ${pairs.join(", ")} } }`;
};

const IDENTIFIER = /^[A-Za-z_]\w*$/;

/** The generator knows the older form of OpenAPI alone. */
export const pythonSamples = ({ endpoint: { name }, variables, root, fetchOlder }: Sample): readonly Text[] => {
  const word = pythonName(name);
  const older = `${name}-3.0.json`;
  return [
    {
      label: "In a terminal",
      text: `${fetchOlder} > ${older}
pipx run openapi-python-client generate --path ${older} --output-path ${word}_client --meta none
pip install httpx attrs`,
    },
    {
      label: "run.py",
      text: `import os

from ${word}_client import AuthenticatedClient
from ${word}_client.api.default import run_${word}
from ${word}_client.models import EndpointRunRequest

client = AuthenticatedClient(base_url=${JSON.stringify(root)}, token=os.environ["KEY"])
answer = run_${word}.sync(client=client, body=EndpointRunRequest.from_dict(${pythonBody(variables)}))
for row in answer.results:
    print(row)`,
    },
  ];
};

/**
 * A name as the generator writes that of a function. Its words end at a sign and, in a name with capitals, wherever small letters begin or
 * end; how many signs there were is lost.
 */
const pythonName = (name: string): string => {
  const words = /[A-Z]/.test(name) ? name.split(/([A-Z]?[a-z]+)/).join(" ") : name;
  return (words.match(/[^\s_-]+/g) ?? []).join("_").toLowerCase();
};

const pythonBody = (variables: Sample["variables"]): string =>
  Object.keys(variables).length === 0 ? "{}" : `{"variables": ${pythonValue(variables)}}`;

const pythonValue = (value: unknown): string => {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonValue(each)}`)
    .join(", ")}}`;
};
