import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { go } from "../address.ts";
import { useKeydown } from "../keydown.ts";
import { Search } from "./search.tsx";

interface HeaderProps {
  readonly project: ReachedProject | undefined;
  readonly view: string | undefined;
  /** What opens the list of keys. */
  readonly help: ComponentChildren;
}

/** The one place where projects are switched; and the search, help, and who is signed in. */
export const Header = ({ project, view, help }: HeaderProps) => {
  const { who, signOut } = useSession();
  const organizations = who?.organizations ?? [];
  const owner = organizations.find(({ id }) => id === project?.organization_id);
  const menu = useRef<HTMLDetailsElement>(null);
  const summary = useRef<HTMLElement>(null);
  useKeydown(({ key }) => {
    if (key !== "Escape" || !menu.current?.open) return;
    menu.current.open = false;
    summary.current?.focus();
  });
  // As other menus, it closes with a press beside it.
  useEffect(() => {
    const pressed = ({ target }: Event): void => {
      if (menu.current && !(target instanceof Node && menu.current.contains(target))) menu.current.open = false;
    };
    addEventListener("pointerdown", pressed);
    return () => removeEventListener("pointerdown", pressed);
  }, []);
  return (
    <header class="head">
      {owner && (
        <span class="organization" title={owner.name}>
          {owner.name}
        </span>
      )}
      <select
        aria-label="Project"
        value={project?.id}
        onChange={({ currentTarget }) => go(`project/${currentTarget.value}${view ? `/${view}` : ""}`)}
      >
        {!project && <option value="">Choose a project</option>}
        {organizations.map(({ id, name }) => (
          <optgroup key={id} label={name}>
            {who?.projects
              .filter((each) => each.organization_id === id)
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
      <Search project={project} />
      {help}
      <details class="menu" ref={menu}>
        <summary ref={summary} title={who?.user.email}>
          {who?.user.first_name || who?.user.email}
        </summary>
        <div class="menu-body">
          <p>
            {who?.user.email}
            <br />
            <span class="soft">
              Key “{who?.label}” {who?.mask_value}
            </span>
          </p>
          <a href="docs/" target="_blank" rel="noreferrer">
            API reference
          </a>
          <ThemeChoice />
          <button type="button" onClick={() => signOut()}>
            Sign out
          </button>
        </div>
      </details>
    </header>
  );
};

const THEME = "analytics-theme";

const ThemeChoice = () => (
  <label class="theme">
    Colours
    <select
      value={localStorage.getItem(THEME) ?? ""}
      onChange={({ currentTarget }) => {
        localStorage.setItem(THEME, currentTarget.value);
        applyTheme();
      }}
    >
      <option value="">As the system has them</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  </label>
);

/** Puts the theme that was chosen on this device into force. */
export const applyTheme = (): void => {
  const theme = localStorage.getItem(THEME);
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
};
