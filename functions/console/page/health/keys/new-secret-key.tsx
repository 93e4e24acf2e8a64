import { SECRET_KEY_SCOPES } from "../../../calls/scopes.ts";
import { useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { makeSecretKey, secretKeysOf } from "../calls.ts";
import { KeyForm } from "./key-form.tsx";
import type { ShownValue } from "./new-value.tsx";

interface NewSecretKeyProps {
  readonly project: number;
  close(): void;
  show(value: ShownValue): void;
}

/** Makes a secret key of the project. */
export const NewSecretKey = ({ project, close, show }: NewSecretKeyProps) => {
  const { may } = useSession();
  const action = useAction();
  const make = async (label: string, scopes: readonly string[]): Promise<void> => {
    const { value } = (await action.run(makeSecretKey(project, { label, scopes: [...scopes] }), secretKeysOf(project))) ?? {};
    if (!value) return;
    close();
    show({ label, value });
  };
  return (
    <KeyForm
      title="Make the secret key"
      scopes={SECRET_KEY_SCOPES.filter(may)}
      action={action}
      make={(label, scopes) => void make(label, scopes)}
      close={close}
    />
  );
};
