import { render } from "preact";
import { ROOT } from "../calls/client.ts";
import { currentAddress } from "./address.ts";
import { keepFocus } from "./kept-focus.ts";
import { Console } from "./shell/console.tsx";
import { applyTheme } from "./shell/header.tsx";

// The page's own addresses are relative to the root, wherever its address goes from here.
document.querySelector("base")?.setAttribute("href", ROOT);

applyTheme();
keepFocus();

const place = document.getElementById("console");
const [first, token] = currentAddress().parts;
if (place && first === "shared" && token !== undefined) {
  // Whoever opens a public link gets nothing of the console: no frame, no sign-in, no key.
  void import("./shared/shared.tsx").then(({ SharedPage }) => render(<SharedPage token={token} />, place));
} else if (place) render(<Console />, place);
