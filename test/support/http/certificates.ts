import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export interface Certificates {
  /** Signs all others; as a server's own certificate it is a self-signed one. */
  readonly authority: Identity;
  /** For 127.0.0.1 and localhost. */
  readonly good: Identity;
  readonly expired: Identity;
  /** For example.com. */
  readonly otherHost: Identity;
}

const CONFIG = `[ca]
default_ca = all
[all]
dir = .
database = ./index.txt
new_certs_dir = .
serial = ./serial
default_md = sha256
policy = any
unique_subject = no
[any]
commonName = supplied
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:true
subjectAltName = IP:127.0.0.1
[here]
subjectAltName = IP:127.0.0.1, DNS:localhost
[elsewhere]
subjectAltName = DNS:example.com
`;

/** Fresh keys and certificates, made by the `openssl` program. @throws Error where it is missing or fails */
export function makeCertificates(): Certificates {
  const dir = mkdtempSync(join(tmpdir(), "certificates-"));
  const openssl = (...args: string[]): void => {
    execFileSync("openssl", args, { cwd: dir, stdio: "pipe" });
  };
  const read = (name: string): Identity => ({
    key: readFileSync(join(dir, `${name}.key`), "utf8"),
    cert: readFileSync(join(dir, `${name}.pem`), "utf8"),
  });
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-config", "conf"];
  const leaf = (name: string, extensions: string, from: string, to: string): Identity => {
    openssl("req", ...newKey, "-keyout", `${name}.key`, "-subj", `/CN=${name}`, "-out", `${name}.csr`);
    const signed = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-startdate", from, "-enddate", to];
    const signer = ["-cert", "authority.pem", "-keyfile", "authority.key", "-extensions", extensions];
    openssl("ca", "-batch", "-notext", "-config", "conf", ...signer, ...signed);
    return read(name);
  };
  try {
    writeFileSync(join(dir, "conf"), CONFIG);
    writeFileSync(join(dir, "index.txt"), "");
    writeFileSync(join(dir, "serial"), "1000");
    const subject = ["-subj", "/CN=authority", "-extensions", "authority", "-days", "3650"];
    openssl("req", "-x509", ...newKey, "-keyout", "authority.key", "-out", "authority.pem", ...subject);
    const [past, farPast, future] = ["20200101000000Z", "20190101000000Z", "20490101000000Z"];
    return {
      authority: read("authority"),
      good: leaf("good", "here", past, future),
      expired: leaf("expired", "here", farPast, past),
      otherHost: leaf("other", "elsewhere", past, future),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
