import type { Document } from "./document.ts";
import { DocumentProblem, type Path } from "./problem.ts";

/** Refuses a document that names one thing twice: which of the two were meant could not be told. */
export const refuseDuplicates = (document: Document): void => {
  const { organizations = [], coupon_campaigns = [], sandbox_rate_cards = [] } = document;
  unique(organizations, ["organizations"], "key", (each) => each.key);
  organizations.forEach((organization, at) => {
    const path = ["organizations", at];
    const { domains = [], members = [], roles = [], projects = [], oauth_applications = [], access = [] } = organization;
    unique(domains, [...path, "domains"], "domain", (each) => each.domain);
    unique(members, [...path, "members"], "email", (each) => each.email.toLowerCase());
    unique(roles, [...path, "roles"], "key", (each) => each.key);
    unique(roles, [...path, "roles"], "id", (each) => each.id ?? `the one of ${each.key}`);
    roles.forEach((role, place) => {
      unique(role.members ?? [], [...path, "roles", place, "members"], undefined, (each) => each.toLowerCase());
    });
    unique(projects, [...path, "projects"], "key", (each) => each.key);
    unique(oauth_applications, [...path, "oauth_applications"], "key", (each) => each.key);
    unique(access, [...path, "access"], "member", (each) => JSON.stringify([each.project, each.member.toLowerCase()]));
    members.forEach((member, place) => {
      unique(member.personal_api_keys ?? [], [...path, "members", place, "personal_api_keys"], "label", (each) => each.label);
    });
    projects.forEach((project, place) => {
      const inside = [...path, "projects", place];
      unique(project.secret_api_keys ?? [], [...inside, "secret_api_keys"], "label", (each) => each.label);
      unique(project.accounts ?? [], [...inside, "accounts"], "external_id", (each) => each.external_id);
      unique(project.dashboards ?? [], [...inside, "dashboards"], "key", (each) => each.key);
      unique(project.integrations ?? [], [...inside, "integrations"], "key", (each) => each.key);
      unique(project.account_custom_properties ?? [], [...inside, "account_custom_properties"], "name", (each) => each.name);
      unique(project.account_relationships ?? [], [...inside, "account_relationships"], undefined, (each) => each);
    });
  });
  unique(coupon_campaigns, ["coupon_campaigns"], "slug", (each) => each.slug);
  unique(sandbox_rate_cards, ["sandbox_rate_cards"], "version", (each) => each.version);
  const codes = coupon_campaigns.flatMap((campaign, at) =>
    (campaign.codes ?? []).map((code, place) => ({ code, path: ["coupon_campaigns", at, "codes", place] })),
  );
  const seen = new Set<string>();
  for (const { code, path } of codes) {
    if (seen.has(code)) throw new DocumentProblem(path, "this code is in the document twice");
    seen.add(code);
  }
};

const unique = <T>(entries: readonly T[], path: Path, field: string | undefined, identity: (entry: T) => string): void => {
  const seen = new Set<string>();
  entries.forEach((entry, at) => {
    const name = identity(entry);
    if (seen.has(name)) throw new DocumentProblem([...path, at, ...(field === undefined ? [] : [field])], "this is in the document twice");
    seen.add(name);
  });
};
