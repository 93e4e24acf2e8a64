import type { View } from "../view.ts";
import { EndpointList } from "./list.tsx";
import { OneEndpoint } from "./one-endpoint.tsx";

export const view: View = ({ project, open: [name, tab] }) =>
  name === undefined ? <EndpointList project={project} /> : <OneEndpoint key={name} project={project} name={name} tab={tab} />;
