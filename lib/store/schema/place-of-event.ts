/**
 * Place of the recipient that an event `v` with a request is about: the one of its number; the only recipient of a request gets events
 * of any number, or without one. Null for other numbers.
 */
export const PLACE_OF_EVENT = `coalesce(
        (SELECT x.place FROM recipients x WHERE x.number = v.number AND x.request = v.request LIMIT 1),
        (SELECT x.place FROM recipients x WHERE x.request = v.request AND NOT EXISTS (
          SELECT 1 FROM recipients o WHERE o.request = v.request AND o.place <> x.place) LIMIT 1))`;
