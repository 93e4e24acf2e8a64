import type { ComponentChildren } from "preact";

interface FactProps {
  readonly name: string;
  readonly children: ComponentChildren;
}

/** One line of a list of facts. */
export const Fact = ({ name, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
