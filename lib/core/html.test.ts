import { expect, it } from "vitest";
import { html } from "./html.ts";

it("keeps what is put in as text, in text and in attributes, and puts pieces in as they are", () => {
  const hostile = `<script>alert("&")</script>' onload='x`;
  const { markup } = html`<p title="${hostile}">${hostile}${[html`<b>${1}</b>`, html`<i></i>`]}${html`<br>`}</p>`;
  const text = "&#60;script&#62;alert(&#34;&#38;&#34;)&#60;/script&#62;&#39; onload=&#39;x";
  expect(markup).toBe(`<p title="${text}">${text}<b>1</b><i></i><br></p>`);
});
