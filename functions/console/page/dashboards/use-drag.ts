import { useRef } from "preact/hooks";

/** Handlers of what holds tiles, one of which is drawn by its handle (`data-drag`) over others (`data-tile`). */
export const useDrag = (move: (id: string, over: string) => void) => {
  const dragged = useRef<string>(undefined);
  // The tile that comes to lie below the pointer by a move does not move it again.
  const last = useRef<string>(undefined);
  return {
    onPointerDown(event: PointerEvent): void {
      const handle = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("[data-drag]") : null;
      if (!handle || event.button !== 0 || !(event.currentTarget instanceof HTMLElement)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      dragged.current = handle.dataset.drag;
      last.current = handle.dataset.drag;
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      if (dragged.current === undefined) return;
      const over = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>("[data-tile]")?.dataset.tile;
      if (over === undefined || over === last.current) return;
      last.current = over;
      if (over !== dragged.current) move(dragged.current, over);
    },
    onPointerUp(): void {
      dragged.current = undefined;
    },
    onPointerCancel(): void {
      dragged.current = undefined;
    },
  };
};
