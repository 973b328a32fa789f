import assert from "node:assert/strict";
import helper from "node-red-node-test-helper";
import { ADMIN_ROUTES } from "../support/node-red/admin-routes";
import { ACCOUNT, startFlow, stopFlow } from "./flow";

const METHODS = { GET: "get", POST: "post", DELETE: "delete" } as const;

describe("web pages at Node-RED's admin app", () => {
  before(() => startFlow());
  after(stopFlow);

  for (const { method, pattern, status: usual } of ADMIN_ROUTES) {
    const path = pattern.replace(":id", ACCOUNT);
    const call = async (headers: Readonly<Record<string, string>>): Promise<number> => {
      const request = helper.request()[METHODS[method]](path).set(headers);
      const { status } = await (method === "GET" ? request : request.send({}));
      return status;
    };

    it(`of another origin get nothing from ${method} ${pattern}, and the editor does`, async () => {
      for (const foreign of [{ origin: "https://evil.example" }, { "sec-fetch-site": "cross-site" }]) {
        assert.equal(await call(foreign as Record<string, string>), 403, JSON.stringify(foreign));
      }
      const host = "red.example:1880";
      for (const own of [{ host, origin: `http://${host}` }, {}]) {
        assert.equal(await call(own as Record<string, string>), usual, JSON.stringify(own));
      }
    });
  }
});
