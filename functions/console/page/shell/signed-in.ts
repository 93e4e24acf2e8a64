import { useEffect, useMemo, useState } from "preact/hooks";
import { forgetAllAnswers } from "../../calls/answers.ts";
import { get } from "../../calls/client.ts";
import { forgetDrafts } from "../../calls/kept-drafts.ts";
import { forgetKey, keepKey, keptKey } from "../../calls/kept-key.ts";
import { mayWith, type Session, type Who } from "../../calls/session.ts";

const WHO = get("/api/personal_api_keys/@current", {});

/** The session of this tab: begins with the key that was kept, if it still opens something. */
export const useSignedIn = (): Session & { readonly because: string | undefined } => {
  const [key, setKey] = useState(keptKey);
  const [who, setWho] = useState<Who>();
  const [because, setBecause] = useState<string>();

  const signOut = (reason?: string): void => {
    forgetKey();
    forgetDrafts();
    forgetAllAnswers();
    setKey(undefined);
    setWho(undefined);
    setBecause(reason);
  };

  useEffect(() => {
    if (key !== undefined && who === undefined) WHO.send(key).then(setWho, (problem: Error) => signOut(problem.message));
  }, []);

  return useMemo(
    () => ({
      key,
      who,
      because,
      may: (scope) => who !== undefined && mayWith(who.scopes, scope),
      async signIn(value, options) {
        const found = await WHO.send(value);
        keepKey(value, options);
        setKey(value);
        setWho(found);
        setBecause(undefined);
      },
      signOut,
    }),
    [key, who, because],
  );
};
