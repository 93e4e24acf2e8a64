import { useRef, useState } from "preact/hooks";
import { useKeydown } from "../keydown.ts";
import { isTyping } from "../typing.ts";

export interface Pause {
  readonly paused: boolean;
  /** Whether somebody asked for it, as by the button, and not only looks at a row. */
  readonly asked: boolean;
  toggle(): void;
  /** For the element whose content stands still while it is pointed at or has the focus. */
  readonly held: {
    onPointerEnter(event: PointerEvent): void;
    onPointerLeave(): void;
    onFocusIn(): void;
    onFocusOut(event: FocusEvent): void;
  };
}

/** Whether rows stand still: while they are pointed at or have the focus, and from a press of the button or the space bar to the next. */
export const usePause = (): Pause => {
  const [isAsked, setAsked] = useState(false);
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const toggle = useRef(() => setAsked((before) => !before)).current;
  useKeydown((event) => {
    if (event.key !== " " || isTyping(event) || isPressed(event)) return;
    event.preventDefault();
    toggle();
  });
  return {
    paused: isAsked || isPointedAt || hasFocus,
    asked: isAsked,
    toggle,
    held: {
      // A finger points at nothing once it is lifted.
      onPointerEnter: ({ pointerType }) => setPointedAt(pointerType === "mouse"),
      onPointerLeave: () => setPointedAt(false),
      onFocusIn: () => setFocus(true),
      onFocusOut: ({ currentTarget, relatedTarget }) =>
        setFocus(currentTarget instanceof Element && relatedTarget instanceof Node && currentTarget.contains(relatedTarget)),
    },
  };
};

/** Whether the space bar presses what has the focus. */
const isPressed = (event: KeyboardEvent): boolean => event.target instanceof Element && event.target.closest("button, summary") !== null;
