import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary, useMemo, useState } from "preact/hooks";
import { SessionProvider, useSession } from "../../calls/session.ts";
import { Empty, Problem, Refused, Skeleton } from "../../parts/state/state.tsx";
import { ZoneProvider } from "../../parts/time/time.tsx";
import { AddressProvider, follow, go, useAddress, useLocation } from "../address.ts";
import { SignIn } from "../sign-in/sign-in.tsx";
import type { ViewProps } from "../view.ts";
import { VIEWS } from "../views.ts";
import { Frame } from "./frame.tsx";
import { Header } from "./header.tsx";
import { Keys } from "./keys.tsx";
import { Navigation } from "./navigation.tsx";
import { useSignedIn } from "./signed-in.ts";

/** Where the API sends people to see their invoices: those of the organization of the project that `team_id` names. */
const BILLING_PLACE = "organization/billing";

/** The console: who is signed in, where they are, and the view that belongs there. */
export const Console = () => {
  const address = useLocation();
  const session = useSignedIn();
  const { who, key, may } = session;
  const [, id, name, ...open] = address.parts;
  const project = who?.projects.find((each) => String(each.id) === id);
  const shown = VIEWS.filter(({ scope }) => may(scope));
  const entry = VIEWS.find((view) => view.name === name);

  const first = who?.projects[0];
  const start = first && shown[0] ? `project/${(project ?? first).id}/${shown[0].name}` : undefined;
  const isBilling = address.parts.join("/") === BILLING_PLACE;
  useEffect(() => {
    if (start && (address.parts.length === 0 || (project && name === undefined))) go(start, { replace: true });
    const payer = who?.projects.find((each) => String(each.id) === address.query.get("team_id")) ?? first;
    if (isBilling && payer) go(`project/${payer.id}/usage/invoices`, { replace: true });
  }, [start, address]);

  // The view's code comes while it is asked whose the key is. Where it does not come, the view says so.
  useEffect(() => {
    if (key !== undefined) entry?.load().catch(() => undefined);
  }, [key, entry]);

  // Presses on links anywhere below are followed here.
  return (
    <SessionProvider value={session}>
      <AddressProvider value={address}>
        <ZoneProvider value={project?.timezone ?? "UTC"}>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the presses on the links within. */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: links are pressed by keys as well, which is a click. */}
          <div class="console" onClick={follow}>
            {who === undefined ? (
              key === undefined ? (
                <SignIn />
              ) : (
                <Waiting />
              )
            ) : (
              <>
                {/* With all of the address: alone, the fragment would be one of the console's root. */}
                <a class="skip" href={`${location.pathname}${location.search}#main`}>
                  Skip to the view
                </a>
                <Header project={project} view={entry?.name} help={<Keys project={project} views={shown} />} />
                <Navigation project={project} views={shown} current={entry?.name} />
                {first && shown.length === 0 ? (
                  <NoView />
                ) : project === undefined ? (
                  <NoProject asked={isBilling ? undefined : id} />
                ) : entry === undefined ? (
                  <Frame title="Nothing here">
                    <Empty title="No view has this address." />
                  </Frame>
                ) : may(entry.scope) ? (
                  <LazyView key={`${entry.name} ${project.id}`} name={entry.name} project={project} open={open} />
                ) : (
                  <Frame title={entry.title}>
                    <Refused scope={entry.scope} />
                  </Frame>
                )}
              </>
            )}
          </div>
        </ZoneProvider>
      </AddressProvider>
    </SessionProvider>
  );
};

/** Until it is known whose key was kept. */
const Waiting = () => {
  const { because, again, signOut } = useSession();
  if (because === undefined) return <Skeleton />;
  return (
    <main class="sign-in" id="main">
      <h1>Console</h1>
      <Problem problem={new Error(because)} />
      <button type="button" class="primary" onClick={again}>
        Try again
      </button>
      <button type="button" onClick={() => signOut()}>
        Sign out
      </button>
    </main>
  );
};

const NoView = () => (
  <Frame title="No view">
    <Empty title="This key may see no view.">
      <p>
        Each asks for a scope of its own, as <code>{VIEWS[0]?.scope}</code> for {VIEWS[0]?.title}. Sign in with a key that has one of them.
      </p>
    </Empty>
  </Frame>
);

const NoProject = ({ asked }: { readonly asked: string | undefined }) => (
  <Frame title="No project">
    {asked === undefined ? (
      <Empty title="This key reaches no project." command="npm run admin -- apply FILE">
        <p>Make one with the file described in the guide, or sign in with another key.</p>
      </Empty>
    ) : (
      <Empty title={`This key does not reach project ${asked}.`}>
        <p>
          <a href="./">Go to a project that it reaches</a>, or sign in with another key.
        </p>
      </Empty>
    )}
  </Frame>
);

/**
 * A view whose code did not come. A browser remembers that and asks for it no more, so only the page as a whole can be loaded again. While
 * the network is away that would lose the page, too: it waits, and where somebody is stands in the address.
 */
const NotLoaded = () => {
  const [isAway] = useState(() => !navigator.onLine);
  const reload = (): void => location.reload();
  useEffect(() => {
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, []);
  return (
    <Empty title="This view could not be loaded.">
      {isAway ? (
        <p>The network is away. The page is loaded again as soon as it is back.</p>
      ) : (
        <>
          <p>The platform does not answer, or was updated meanwhile: load the page again.</p>
          <button type="button" onClick={reload}>
            Load again
          </button>
        </>
      )}
    </Empty>
  );
};

/** A view with its code, which is fetched when it is first looked at. */
const LazyView = ({ name, ...props }: ViewProps & { readonly name: string }) => {
  const [view, setView] = useState<{ readonly Component: ComponentType<ViewProps> }>();
  const [failed, setFailed] = useState(false);
  const entry = useMemo(() => VIEWS.find((each) => each.name === name), [name]);
  const address = useAddress();
  const [fault, again] = useErrorBoundary((thrown) => reportError(thrown));
  useEffect(again, [address]);
  useEffect(() => {
    entry?.load().then(
      (loaded) => setView({ Component: loaded.view }),
      () => setFailed(true),
    );
  }, [entry]);
  if (fault) {
    return (
      <Frame title={entry?.title ?? ""}>
        <Empty title="This view cannot be shown.">
          <p>
            <a href={`project/${props.project.id}/${name}`}>Begin it anew</a>, or load the page again.
          </p>
        </Empty>
      </Frame>
    );
  }
  if (view) return <view.Component {...props} />;
  return <Frame title={entry?.title ?? ""}>{failed ? <NotLoaded /> : <Skeleton />}</Frame>;
};
