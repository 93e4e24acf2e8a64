import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { personalKey, projectKey } from "../../lib/auth/access.ts";
import { ACCESS_LIST, CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { empty, json } from "../../lib/http/reply.ts";
import { CurrentKeyForm, currentKey } from "./current.ts";
import { createPersonalKey, deletePersonalKey, listPersonalKeys, NewPersonalKey, PersonalKeyForm, rollPersonalKey } from "./personal.ts";
import { createSecretKey, deleteSecretKey, listSecretKeys, NewSecretKey, rollSecretKey, SecretKeyForm } from "./project.ts";

const TAGS = ["Keys"];
const MINE = "/api/personal_api_keys/";
const PROJECT = "/api/projects/{project_id}/project_secret_api_keys/";

const personal = [
  route({
    method: "GET",
    path: MINE,
    summary: "List your personal API keys",
    tags: TAGS,
    access: personalKey("personal_api_key:read"),
    reply: json(200, z.array(PersonalKeyForm)),
    handle: ({ grant, world }) => listPersonalKeys(world.table, grant),
  }),
  route({
    method: "POST",
    path: MINE,
    summary: "Create a personal API key",
    description: "It can do nothing that the key which makes it cannot do.",
    tags: TAGS,
    access: personalKey("personal_api_key:write"),
    body: NewPersonalKey,
    examples: { body: { label: "dashboard", scopes: ["endpoint:read"], scoped_teams: null, scoped_organizations: null } },
    reply: json(201, PersonalKeyForm),
    handle: ({ body, grant, world }) => createPersonalKey(world, grant, body),
  }),
  route({
    method: "GET",
    path: "/api/personal_api_keys/@current/",
    summary: "Retrieve the key of this call",
    description:
      "What the key may do, as whom, and where: the organizations and projects that it reaches, of the first hundred organizations that its user joined. Needs no scope.",
    tags: TAGS,
    access: personalKey(),
    reply: json(200, CurrentKeyForm),
    handle: ({ grant, world, request }) => currentKey(world, grant, request),
  }),
  route({
    method: "POST",
    path: "/api/personal_api_keys/{id}/roll/",
    summary: "Give a personal API key another value",
    description: "What the key opens stays the same; its old value opens nothing any more.",
    tags: TAGS,
    access: personalKey("personal_api_key:write"),
    reply: json(200, PersonalKeyForm),
    handle: ({ params, grant, world }) => rollPersonalKey(world, grant, params.id),
  }),
  route({
    method: "DELETE",
    path: "/api/personal_api_keys/{id}/",
    summary: "Delete a personal API key",
    tags: TAGS,
    access: personalKey("personal_api_key:write"),
    reply: empty(204),
    handle: ({ params, grant, world }) => deletePersonalKey(world, grant, params.id),
  }),
];

const secret = [
  route({
    method: "GET",
    path: PROJECT,
    summary: "List a project's secret keys",
    tags: TAGS,
    access: projectKey("personal_api_key:read"),
    reply: json(200, z.array(SecretKeyForm)),
    handle: ({ grant, world }) => listSecretKeys(world.table, grant),
  }),
  route({
    method: "POST",
    path: PROJECT,
    summary: "Create a secret key of a project",
    description: "Your own key needs the scopes that it is given.",
    tags: TAGS,
    access: projectKey("personal_api_key:write"),
    body: NewSecretKey,
    examples: { body: { label: "backend", scopes: ["endpoint:read"] } },
    reply: json(201, SecretKeyForm),
    handle: ({ body, grant, world }) => createSecretKey(world, grant, body),
  }),
  route({
    method: "POST",
    path: "/api/projects/{project_id}/project_secret_api_keys/{id}/roll/",
    summary: "Give a project's secret key another value",
    description: "What the key opens stays the same; its old value opens nothing any more.",
    tags: TAGS,
    access: projectKey("personal_api_key:write"),
    reply: json(200, SecretKeyForm),
    handle: ({ params, grant, world }) => rollSecretKey(world, grant, params.id),
  }),
  route({
    method: "DELETE",
    path: "/api/projects/{project_id}/project_secret_api_keys/{id}/",
    summary: "Delete a project's secret key",
    tags: TAGS,
    access: projectKey("personal_api_key:write"),
    reply: empty(204),
    handle: ({ params, grant, world }) => deleteSecretKey(world, grant, params.id),
  }),
];

export const keys = group({
  name: "keys",
  gateway: "management",
  // Of a project the labels of its keys.
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "personalKeyCount", "secretKeyCount"],
      lists: [...CALLER_PARTITIONS.lists, ACCESS_LIST, "user#{user}#personal-keys", "project#{project}#secret-keys"],
      write: [...CALLER_PARTITIONS.write, "project", "personalKeyCount", "secretKeyCount"],
      removes: true,
    },
  },
  routes: [...personal, ...secret],
});
