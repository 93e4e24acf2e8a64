import { isUtf8 } from "node:buffer";
import { type ApiError, bare } from "../../lib/http/errors.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { apiError, errorDetail } from "./errors.ts";

/** The grants of OAuth 2 by which clients come to a token: with a credential, and in exchange for the token that they have. */
const CLIENT_CREDENTIALS = "client_credentials";
const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** Nobody is known yet: a form of a megabyte takes two seconds to be read, and a credential is short. */
const MAX_CREDENTIAL_BYTES = 16 * 1024;

/**
 * The key that a client asks to be taken for its token: the secret of its credential, in the body or the header, or the token that it
 * would exchange for a newer one. Keys do not expire, so the token is the key. Throws 400.
 */
export const presentedSecret = (request: HttpRequest): string => {
  if (request.body.length > MAX_CREDENTIAL_BYTES)
    throw oauthError(400, "invalid_request", `A request for a token has at most ${MAX_CREDENTIAL_BYTES} bytes.`);
  const form = new URLSearchParams(isUtf8(request.body) ? Buffer.from(request.body).toString("utf8") : "");
  const grant = form.get("grant_type");
  if (grant !== CLIENT_CREDENTIALS && grant !== TOKEN_EXCHANGE)
    throw oauthError(400, "unsupported_grant_type", `Ask with grant_type=${CLIENT_CREDENTIALS} and a personal key as client_secret.`);
  const secret = grant === TOKEN_EXCHANGE ? form.get("subject_token") : (form.get("client_secret") ?? basicPassword(request));
  if (!secret) throw oauthError(400, "invalid_request", "There is no key: give a personal key as client_secret.");
  return secret;
};

const BASIC = /^Basic +([\w+/]+={0,2})$/i;

const basicPassword = ({ headers }: HttpRequest): string | undefined => {
  const [, encoded] = BASIC.exec(headers.authorization?.trim() ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : undefined;
};

/** The answer that makes a key the token of all further requests. Without a lifetime nobody comes to renew it. */
export const tokenBody = (key: string) => ({
  access_token: key,
  token_type: "bearer",
  issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
});

type OAuthCode = "invalid_request" | "invalid_client" | "unauthorized_client" | "unsupported_grant_type";

const oauthError = (status: number, error: OAuthCode, error_description: string): ApiError => bare(status, { error, error_description });

/** A refusal of a key in the words of OAuth 2; others stay as they are. */
export const oauthRefusal = (thrown: unknown): ApiError => {
  const error = apiError(thrown);
  const detail = errorDetail(error.body);
  if (error.status === 401) return oauthError(401, "invalid_client", detail ?? "");
  if (error.status === 403) return oauthError(400, "unauthorized_client", detail ?? "");
  return error;
};
