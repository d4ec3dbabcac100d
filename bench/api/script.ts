import { createHash } from 'node:crypto'

/** One statement of a request as the driver sent it. */
export type Step = { text: string; values: unknown[] }

/** What a bare handler needs to answer one endpoint: its statements, which of their values are new each time, and what it says. */
export type Script = {
  name: string
  method: string
  path: string
  payload: object | null
  steps: Step[]
  fresh: string[]
  answer: unknown
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The work itself: neither who asks nor the key of a repeat, which a bare handler knows nothing of. */
export const workOf = (steps: Step[]): Step[] => steps.filter(({ text }) => !/who_asks|idempotency_keys/.test(text))

const idsOf = (steps: Step[]): Set<string> => new Set(JSON.stringify(steps).match(uuid) ?? [])

/** Ids that the second request made anew. */
export const freshIds = (first: Step[], second: Step[]): string[] => {
  const known = idsOf(first)
  return [...idsOf(second)].filter((id) => !known.has(id))
}

/** The same values with new ids in the places of the fresh ones. */
export const renewed = (values: unknown[], ids: Map<string, string>): unknown[] =>
  ids.size === 0
    ? values
    : values.map((value) => (typeof value === 'string' ? value.replace(uuid, (id) => ids.get(id) ?? id) : value))

export const nameOf = (text: string): string => createHash('sha1').update(text).digest('hex').slice(0, 20)
