import { useEffect, useRef, useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { TextField } from "../../parts/field/field.tsx";
import { go } from "../address.ts";
import { useKeydown } from "../keydown.ts";
import { isTyping } from "../typing.ts";
import { VIEWS } from "../views.ts";
import { findEndpoints } from "./calls.ts";

interface Found {
  readonly title: string;
  readonly kind: string;
  readonly href: string;
}

/** A view, a project or an endpoint by a part of its name; `/` opens it. */
export const Search = ({ project }: { readonly project: ReachedProject | undefined }) => {
  const [isOpen, setOpen] = useState(false);
  useKeydown((event) => {
    if (event.key !== "/" || isTyping(event)) return;
    event.preventDefault();
    setOpen(true);
  });
  return (
    <>
      <button type="button" class="search quiet" onClick={() => setOpen(true)}>
        <kbd>/</kbd> Search
      </button>
      {isOpen && <SearchDialog project={project} close={() => setOpen(false)} />}
    </>
  );
};

const SearchDialog = ({ project, close }: { readonly project: ReachedProject | undefined; close(): void }) => {
  const [text, setText] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const found = useFound(project, text);
  useEffect(() => box.current?.querySelector("input")?.focus(), []);
  const first = found[0];
  return (
    <Dialog title="Search" close={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the field within. */}
      <div
        ref={box}
        onKeyDown={({ key }) => {
          if (key !== "Enter" || !first) return;
          close();
          go(first.href);
        }}
      >
        <TextField label="A view, a project or an endpoint" type="search" value={text} change={setText} />
      </div>
      <ul class="found">
        {found.map(({ title, kind, href }) => (
          <li key={href}>
            <a href={href} onClick={close}>
              {title} <span class="soft">{kind}</span>
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
};

const MOST = 12;

const useFound = (project: ReachedProject | undefined, text: string): readonly Found[] => {
  const { who, may } = useSession();
  const endpoints = useCall(project && may("endpoint:read") ? findEndpoints(project.id) : undefined, { freshMs: 60_000 });
  const all: readonly Found[] = [
    ...(project ? VIEWS.filter(({ scope }) => may(scope)) : []).map(({ name, title }) => ({
      title,
      kind: "view",
      href: `project/${project?.id}/${name}`,
    })),
    ...(endpoints.data?.results ?? []).map(({ name }) => ({
      title: name,
      kind: "endpoint",
      href: `project/${project?.id}/endpoints/${encodeURIComponent(name)}`,
    })),
    ...(who?.projects ?? []).map(({ id, name }) => ({ title: name, kind: "project", href: `project/${id}` })),
  ];
  return all.filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase())).slice(0, MOST);
};
