import { scopeOfRequest } from "../schema/scope";

let claims = 0;

/** The number of a claim: with its owner it names the requests that were claimed together. */
export const nextClaim = (): number => ++claims;

/** The requests `r` of a claim. ?1 owner, ?2 number of the claim. */
export const CLAIMED = "r.state = 'leaving' AND r.owner = ?1 AND r.claim = ?2";

/** Whether the recipient `c` of a request `r` does not want it. */
export const OPTED_OUT = `r.also_opted_out = 0 AND EXISTS (SELECT 1 FROM opt_outs o
    WHERE o.account = ${scopeOfRequest("r")} AND o.number = c.number AND (o.scope = 'all' OR r.category = 'advertisement'))`;
