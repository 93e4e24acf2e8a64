import { useEffect, useState } from "preact/hooks";
import { demoKey, demoOwner } from "../../calls/demo-owner.ts";
import { useSession } from "../../calls/session.ts";
import { TextField } from "../../parts/field/field.tsx";
import { Problem } from "../../parts/state/state.tsx";

/** The first page: a personal key opens the console. */
export const SignIn = () => {
  const session = useSession();
  const [key, setKey] = useState("");
  const [remember, setRemember] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const [owner, setOwner] = useState<string>();
  useEffect(() => {
    document.title = "Sign in · Console";
    void demoOwner().then(setOwner);
  }, []);

  const open = async (value: string | Promise<string>): Promise<void> => {
    setProblem(undefined);
    try {
      await session.signIn((await value).trim(), { remember });
    } catch (thrown) {
      setProblem(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };

  return (
    <main class="sign-in" id="main">
      <h1>Console</h1>
      {session.because && <Problem problem={new Error(session.because)} />}
      {owner && (
        <button type="button" class="primary" onClick={() => void open(demoKey())}>
          Sign in as {owner}
        </button>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open(key);
        }}
      >
        <TextField
          label="Personal API key"
          type="password"
          name="key"
          autoComplete="off"
          placeholder="phx_…"
          value={key}
          change={setKey}
          hint="It is sent to this host alone, and kept until this tab is closed."
        />
        <label class="check">
          <input type="checkbox" checked={remember} onChange={({ currentTarget }) => setRemember(currentTarget.checked)} />
          Remember it on this device
        </label>
        {problem && <Problem problem={problem} />}
        <button type="submit" class={owner ? undefined : "primary"} disabled={key.trim() === ""}>
          Sign in
        </button>
      </form>
      <p class="soft">
        No key yet? On a laptop it is in <code>.local/credentials.json</code>; elsewhere <code>npm run admin -- apply FILE</code> prints
        one.
      </p>
    </main>
  );
};
