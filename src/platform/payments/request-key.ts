import { createHash } from 'node:crypto'

/**
 * The key under which a provider is asked: the same for a repeat, another where something else is asked. A provider that was asked the one thing
 * under a key answers the other with an error for a day, and a press that was cut off may be gone on with from another page.
 * @param name what the request is for, as "invoice:<attempt>"
 * @param request all that is asked, in a fixed order of its fields
 */
export const requestKeyOf = (name: string, request: object): string =>
  `${name}:${createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 24)}`
