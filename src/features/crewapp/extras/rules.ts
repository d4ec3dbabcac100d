import { overgrownTitle } from '../../extras/rules.ts'
import type { CrewStop } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'
import type { CrewExtras, StopExtra } from './contract.ts'

/** What a stop shows of extras before the server has heard of them. */

export type SaidExtra = { id: string; type: CommandType; payload: CommandPayload }

/** A stop with what its crew said on this phone: an upcharge once, however often it is pressed, and gone when it is taken back. */
export const withExtra = (
  stop: CrewStop,
  { id, type, payload }: SaidExtra,
  extras: CrewExtras | undefined,
): CrewStop => {
  const known = stop.extras ?? []
  if (type === 'drop_extra') return { ...stop, extras: known.filter((one) => one.id !== payload.extraId) }
  if (known.some((one) => one.id === id) || isOvergrown(stop)) return stop
  const step = extras?.overgrown?.steps.find((one) => one.id === payload.overgrown?.stepId) ?? null
  const said: StopExtra = {
    id,
    kind: 'overgrown',
    state: extras?.overgrown?.asks === false ? 'added' : 'waiting',
    ...overgrownTitle(step),
    by: '',
    open: true,
    why: '',
  }
  return { ...stop, extras: [...known, said] }
}

/** Whether somebody of the crew has said already that the lawn is overgrown, and the office has not said no. */
export const isOvergrown = (stop: Pick<CrewStop, 'extras'>): boolean =>
  (stop.extras ?? []).some(({ kind, state }) => kind === 'overgrown' && state !== 'declined' && state !== 'withdrawn')
