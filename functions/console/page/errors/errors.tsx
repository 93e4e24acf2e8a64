import { Frame } from "../shell/frame.tsx";
import type { View } from "../view.ts";

export const view: View = () => <Frame title="Errors" />;
