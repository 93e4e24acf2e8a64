import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  AccessEntry,
  AccountEntry,
  CampaignEntry,
  Document,
  MemberEntry,
  OauthApplicationEntry,
  OrganizationEntry,
  ProjectEntry,
} from "./document.ts";

test("the page on the document names all of its fields", async () => {
  const page = await readFile(join(import.meta.dirname, "../../document.md"), "utf8");
  const entries = [Document, OrganizationEntry, MemberEntry, ProjectEntry, AccountEntry, OauthApplicationEntry, AccessEntry, CampaignEntry];
  const settings = OrganizationEntry.shape.settings.unwrap();
  const names = [...entries, settings].flatMap(({ shape }) => Object.keys(shape));
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
