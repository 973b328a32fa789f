import assert from "node:assert/strict";
import { type Component, licenceFaults, licenceOf, runtimeSbom } from "../../scripts/sbom/runtime-sbom";
import { page } from "../support/locales/guides";
import { ROOT } from "../support/locales/locale-files";

const component = (licence: string | null): Component => ({
  name: "some",
  version: "1.0.0",
  licenses: licence === null ? [] : [{ license: { id: licence } }],
});

describe("the SBOM", () => {
  it("has every package that a user installs, also one that is needed for development as well, and no other", async () => {
    const { metadata, components } = await runtimeSbom(ROOT);
    const { packages } = JSON.parse(page("package-lock.json")) as {
      readonly packages: Readonly<Record<string, { readonly dev?: true }>>;
    };
    const installed = Object.entries(packages)
      .filter(([path, { dev }]) => path !== "" && dev === undefined)
      .map(([path]) => path.replace(/^.*node_modules\//, ""));
    assert.deepEqual(components.map(({ name }) => name).toSorted(), installed.toSorted());
    for (const name of ["pg-types", "mustache", "@photostructure/sqlite"]) {
      assert.ok(installed.includes(name), name);
    }
    assert.ok(!installed.includes("mocha"));
    assert.equal(metadata.component.name, "@messaging-service/node-red-messaging");
    assert.deepEqual(licenceFaults(components), []);
  });

  it("is refused with a licence that is not in the list, and with none", () => {
    assert.equal(licenceOf(component("MIT")), "MIT");
    assert.deepEqual(licenceFaults(["MIT", "ISC", "Apache-2.0"].map(component)), []);
    assert.deepEqual(licenceFaults(["GPL-3.0-only", "(MIT OR GPL-2.0)", null].map(component)), [
      "some 1.0.0: GPL-3.0-only",
      "some 1.0.0: (MIT OR GPL-2.0)",
      "some 1.0.0: no licence",
    ]);
  });
});
