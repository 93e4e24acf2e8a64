import { ConfirmButton } from "./confirm.tsx";

const nothing = (): void => undefined;

export const states = {
  "at rest; pressed, it asks": () => <ConfirmButton title="Delete" question="Delete this release for good?" act={nothing} />,
  disabled: () => <ConfirmButton title="Delete" question="Delete this release for good?" disabled act={nothing} />,
};
