import { CopyButton } from "../copy/copy.tsx";

/** Text of a program to read and to copy. */
export const Code = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <figure class="code">
    <figcaption>
      {label}
      <CopyButton text={text} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys. */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </figure>
);
