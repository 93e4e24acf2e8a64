import { useEffect, useRef } from "preact/hooks";
import type { ReachedProject } from "../../calls/session.ts";
import type { VIEWS } from "../views.ts";

interface NavigationProps {
  readonly project: ReachedProject | undefined;
  readonly views: typeof VIEWS;
  readonly current: string | undefined;
}

/** The views that the key may see. */
export const Navigation = ({ project, views, current }: NavigationProps) => {
  const row = useRef<HTMLElement>(null);
  // On a narrow screen they stand in a row that is longer than it. `scrollIntoView` would have the tab key go on from there.
  useEffect(() => {
    const shown = row.current?.querySelector<HTMLElement>("[aria-current]");
    if (row.current && shown) row.current.scrollLeft = shown.offsetLeft - (row.current.clientWidth - shown.offsetWidth) / 2;
  }, [project, current]);
  return (
    <nav ref={row} class="navigation" aria-label="Views">
      {project &&
        views.map(({ name, title }) => (
          <a key={name} href={`project/${project.id}/${name}`} aria-current={name === current ? "page" : undefined}>
            {title}
          </a>
        ))}
    </nav>
  );
};
