// An identity provider on this machine, with the pages that its package has for development.
//
// Usage: node provider.js CLAIMS, in JSON: more claims of access tokens. It prints its issuer, and ends with its input.
//
// It takes the place of no library: run it from a folder in which oidc-provider is installed.

import { generateKeyPair } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const { resolve } = createRequire(join(process.cwd(), "package.json"));
const { default: Provider } = await import(pathToFileURL(resolve("oidc-provider")));

const claims = JSON.parse(process.argv[2]);
const SCOPES = "memory:read memory:write memory:admin";

const pair = promisify(generateKeyPair);
const kid = `key-${process.pid}`;
const { privateKey } = await pair("rsa", { modulusLength: 2048 });
const keys = [{ ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" }];

const server = createServer();
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  jwks: { keys },
  scopes: ["openid", "offline_access", ...SCOPES.split(" ")],
  cookies: { keys: [kid] },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  extraTokenClaims: () => claims,
  ttl: { AccessToken: 3600, ClientCredentials: 3600 },
  clientDefaults: { grant_types: ["authorization_code", "refresh_token"] },
  features: {
    registration: { enabled: true },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: (_, resource) => ({
        scope: SCOPES,
        audience: resource,
        accessTokenFormat: "jwt",
        accessTokenTTL: 3600,
        jwt: { sign: { alg: "RS256" } },
      }),
    },
  },
});
server.on("request", provider.callback());
process.stdin.on("end", () => process.exit(0)).resume();
console.log(issuer);
