import { Frame } from "../shell/frame.tsx";
import type { View } from "../views.ts";

export const view: View = () => <Frame title="Errors" />;
