import { useEffect, useMemo, useState } from "preact/hooks";
import { forgetAllAnswers } from "../../calls/answers.ts";
import { get } from "../../calls/client.ts";
import { forgetDrafts } from "../../calls/kept-drafts.ts";
import { forgetKey, isRemembered, keepKey, keptKey, onKeyOfDevice } from "../../calls/kept-key.ts";
import { ApiProblem } from "../../calls/problems.ts";
import { mayWith, type Session, type Who } from "../../calls/session.ts";

const WHO = get("/api/personal_api_keys/@current", {});

/** The session of this tab: begins with the key that was kept, if it still opens something. */
export const useSignedIn = (): Session => {
  const [key, setKey] = useState(keptKey);
  const [who, setWho] = useState<Who>();
  const [because, setBecause] = useState<string>();

  const goOnWith = (other: string | undefined, reason?: string): void => {
    forgetAllAnswers();
    setKey(other);
    setWho(undefined);
    setBecause(reason);
  };
  const signOut = (reason?: string): void => {
    // Another tab may have gone on with another value of the key, which this refusal says nothing of.
    const kept = keptKey();
    if (reason !== undefined && kept !== undefined && kept !== key) {
      goOnWith(kept);
      return;
    }
    forgetKey();
    forgetDrafts();
    goOnWith(undefined, reason);
  };
  useEffect(() => onKeyOfDevice(goOnWith), []);

  const again = (): void => {
    if (key === undefined || who !== undefined) return;
    setBecause(undefined);
    WHO.send(key).then(setWho, (problem: Error) => {
      // A platform that is away says nothing of the key.
      if (problem instanceof ApiProblem && problem.status < 500 && problem.status !== 429) signOut(problem.message);
      else setBecause(problem.message);
    });
  };
  useEffect(again, [key]);

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
      again,
      replaceKey(value) {
        keepKey(value, { remember: isRemembered() });
        // What is asked again by itself carried the value before.
        forgetAllAnswers();
        setKey(value);
        // The masked value is the only thing that is out of date where this fails.
        WHO.send(value).then(setWho, () => undefined);
      },
      signOut,
    }),
    [key, who, because],
  );
};
