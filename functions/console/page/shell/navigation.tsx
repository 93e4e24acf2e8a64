import type { ReachedProject } from "../../calls/session.ts";
import type { VIEWS } from "../views.ts";

interface NavigationProps {
  readonly project: ReachedProject | undefined;
  readonly views: typeof VIEWS;
  readonly current: string | undefined;
}

/** The views that the key may see. */
export const Navigation = ({ project, views, current }: NavigationProps) => (
  <nav class="navigation" aria-label="Views">
    {project &&
      views.map(({ name, title }) => (
        <a key={name} href={`project/${project.id}/${name}`} aria-current={name === current ? "page" : undefined}>
          {title}
        </a>
      ))}
  </nav>
);
