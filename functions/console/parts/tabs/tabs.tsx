interface TabsProps {
  readonly label: string;
  /** Each tab's words and address. */
  readonly tabs: readonly { readonly title: string; readonly href: string; readonly current: boolean }[];
}

/** Views of one thing, each with an address of its own. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ title, href, current }) => (
      <a key={href} href={href} aria-current={current ? "page" : undefined}>
        {title}
      </a>
    ))}
  </nav>
);
