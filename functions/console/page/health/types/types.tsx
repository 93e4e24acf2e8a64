import { useSession } from "../../../calls/session.ts";
import type { ViewProps } from "../../view.ts";
import { Definitions } from "./definitions.tsx";
import { Misfits } from "./misfits.tsx";

/** The properties with their types, and the values that these do not fit. */
export const Types = ({ project }: ViewProps) => {
  const { may } = useSession();
  return (
    <>
      {may("project:read") && <Misfits project={project.id} />}
      {may("property_definition:read") && <Definitions project={project.id} />}
    </>
  );
};
