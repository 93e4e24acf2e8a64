import { useState } from "preact/hooks";
import type { ViewProps } from "../../view.ts";
import { NewValue, type ShownValue } from "./new-value.tsx";
import { PersonalKeys } from "./personal-keys.tsx";
import { SecretKeys } from "./secret-keys.tsx";

/** The keys of whoever is signed in, and those of the project. A value is shown once, here, and is nowhere else. */
export const Keys = ({ project }: ViewProps) => {
  const [shown, setShown] = useState<ShownValue>();
  return (
    <>
      {shown && <NewValue key={shown.value} {...shown} done={() => setShown(undefined)} />}
      <PersonalKeys project={project} show={setShown} />
      <SecretKeys project={project} show={setShown} />
    </>
  );
};
