import { callersOf, permissionsOf } from './callers.ts'
import type { Endpoint } from './endpoint.ts'
import { conflict } from './errors.ts'
import { has, type Rights } from './roles.ts'
import { supportAreaOf } from './support.ts'
import { tourOpens } from './tourPaths.ts'

/** Who asks, as far as rights go; `readOnly` only looks: support, or with `tour` a visitor of the demo business. */
export type Asker = Rights & { readonly readOnly?: boolean | undefined; readonly tour?: unknown }

/** What an endpoint asks of a person of a business. */
export type Need = Pick<Endpoint, 'method' | 'path' | 'access' | 'permission'>

/** Whether role and permissions of a person are enough for an endpoint. The guard, the records and the screens ask here. */
export const admits = (who: Asker, need: Need): boolean => {
  const callers = callersOf(need)
  const byRole =
    callers.includes('member') ||
    (callers.includes('office') && who.role !== 'Employee') ||
    (callers.includes('owner') && who.role === 'Owner')
  const isShown = who.tour ? tourOpens(need.path, who.role) : supportAreaOf(need.path) !== null
  const byVisit = !who.readOnly || (need.method === 'GET' && isShown)
  return byRole && byVisit && permissionsOf(need).every((permission) => has(who, permission))
}

/** Why the state of a record refuses an action, as a sentence for who tried it; null where it does not. */
export type Refusal<Facts> = (facts: Facts) => string | null

/**
 * `can` of a record: an action is there when the person's rights are enough for its endpoint and the record's state does not refuse it. The
 * commands refuse by the same functions, so neither can say something else. A lapsed plan is no part of it: that is answered with 402 and
 * the way out.
 */
export const canOf = <Action extends string, Facts>(
  who: Asker,
  needs: Readonly<Record<Action, Need>>,
  refusals: Readonly<Record<Action, Refusal<Facts>>>,
  facts: Facts,
): Record<Action, boolean> =>
  Object.fromEntries(
    (Object.keys(refusals) as Action[]).map((action) => [
      action,
      admits(who, needs[action]) && refusals[action](facts) === null,
    ]),
  ) as Record<Action, boolean>

/** Stops a command that the record's state refuses. @throws AppError state_conflict */
export const refuse = (reason: string | null, details?: Record<string, unknown>): void => {
  if (reason !== null) throw conflict(reason, details)
}
