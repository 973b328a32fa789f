import assert from "node:assert/strict";
import { array, assert as check, property, string } from "fast-check";
import { Redactor } from "../../../../lib/gateway/codec/redactor";

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) {
    redactor.add(secret);
  }
  return redactor;
}

describe("gateway redactor", () => {
  it("masks a secret in every form, everywhere in a text, and nothing else", () => {
    const redactor = redactorOf("p&ss wörd/+");
    const forms = [
      "p&ss wörd/+",
      "p%26ss%20w%C3%B6rd%2F%2B",
      "p%26ss%20w%c3%b6rd%2f%2b",
      "p%26ss+w%C3%B6rd%2F%2B",
      "p%26ss+w%F6rd%2F%2B",
      "p%26ss+w%f6rd%2f%2b",
      Buffer.from("p&ss wörd/+").toString("base64"),
      Buffer.from("p&ss wörd/+").toString("base64url"),
    ];
    for (const form of forms) {
      assert.equal(redactor.clean(`<${form}>${form}`), "<•••>•••");
    }
    assert.equal(redactor.clean("p&ss"), "p&ss");
    assert.equal(redactor.clean(""), "");
  });

  it("masks the longer of two secrets as a whole, in any order", () => {
    for (const secrets of [
      ["secret", "secret-and-more"],
      ["secret-and-more", "secret"],
    ]) {
      const redactor = redactorOf(...secrets);
      assert.equal(redactor.clean("secret-and-more secret"), "••• •••");
    }
  });

  it("masks no secret that is too short", () => {
    assert.equal(redactorOf("", "a", "abc").clean("abc abcd"), "abc abcd");
    assert.equal(redactorOf("abcd").clean("abc abcd"), "abc •••");
  });

  it("leaves no secret of any kind in any text", () => {
    const secret = string({ minLength: 4, maxLength: 12, unit: "grapheme" });
    const secrets = array(secret, { minLength: 1, maxLength: 4 });
    check(
      property(secrets, string(), (all, noise) => {
        const redactor = redactorOf(...all);
        for (const one of all) {
          const forms = [one, encodeURIComponent(one), Buffer.from(one).toString("base64")];
          for (const form of forms) {
            const cleaned = redactor.clean(`${noise}${form}${noise}`);
            assert.ok(!cleaned.includes(form) || form.includes("•"), `${form} in ${cleaned}`);
          }
        }
      }),
    );
  });
});
