import { render } from "preact";
import { ROOT } from "../calls/client.ts";
import { Console } from "./shell/console.tsx";
import { applyTheme } from "./shell/header.tsx";

// The page's own addresses are relative to the root, wherever its address goes from here.
document.querySelector("base")?.setAttribute("href", ROOT);

applyTheme();

const place = document.getElementById("console");
if (place) render(<Console />, place);
