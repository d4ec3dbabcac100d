import { type ExtraState, overgrownTitle } from '../../extras/rules.ts'
import { type CrewSale, saleName, saleTitle } from '../../extras/sales/rules.ts'
import type { CrewStop } from '../contract.ts'
import type { CommandPayload, CommandType } from '../rules.ts'
import type { CrewSales } from '../sales/contract.ts'
import type { CrewExtras, StopExtra } from './contract.ts'

/** What a stop shows of extras before the server has heard of them. */

export type SaidExtra = { id: string; type: CommandType; payload: CommandPayload }

/** A stop with what its crew said on this phone: an upcharge once, however often it is pressed, and gone when it is taken back. */
export const withExtra = (
  stop: CrewStop,
  { id, type, payload }: SaidExtra,
  { extras, sales }: { extras?: CrewExtras | undefined; sales?: CrewSales | undefined },
): CrewStop => {
  const known = stop.extras ?? []
  if (type === 'drop_extra') return { ...stop, extras: known.filter((one) => one.id !== payload.extraId) }
  if (known.some((one) => one.id === id)) return stop
  if (type === 'sell') return payload.sale ? { ...stop, extras: [...known, sold(id, payload.sale, sales)] } : stop
  if (isOvergrown(stop)) return stop
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

/** What was sold, as it is known before the server says what became of it. */
const sold = (id: string, sale: CrewSale, sales: CrewSales | undefined): StopExtra => {
  const service = sales?.services.find((one) => one.id === sale.serviceId) ?? { name: '', unit: 'visit' as const }
  const { name, unit } = service
  return {
    id,
    kind: 'sold',
    state: sale.way === 'link' ? 'asked' : sale.way === 'signature' && sale.planned === 'today' ? 'added' : 'waiting',
    title: saleTitle(name, sale.quantity, unit),
    titleEs: saleTitle(saleName(service, 'es'), sale.quantity, unit, 'es'),
    by: '',
    open: true,
    why: '',
  }
}

/** Whether tall grass can be told of: something is mowed here. A stop that does not know is not kept from telling. */
export const isMowed = ({ mows }: Pick<CrewStop, 'mows'>): boolean => mows !== false

/** Whether somebody of the crew has said already that the lawn is overgrown, and the office has not said no. */
export const isOvergrown = (stop: Pick<CrewStop, 'extras'>): boolean =>
  (stop.extras ?? []).some(({ kind, state }) => kind === 'overgrown' && state !== 'declined' && state !== 'withdrawn')

const notHere: readonly ExtraState[] = ['refused', 'declined', 'withdrawn', 'booked']

/**
 * Whether a service is done at a stop anyway: planned there, or sold there before and neither refused nor taken back. What was sold is known by its
 * title, which begins with the service's name (`saleTitle`).
 */
export const isOnStop = ({ name }: { name: string }, stop: Pick<CrewStop, 'services' | 'extras'>): boolean =>
  stop.services.includes(name) ||
  (stop.extras ?? []).some(
    ({ title, state }) =>
      !notHere.includes(state) && (title === name || title.startsWith(`${name}, `) || title.startsWith(`${name} × `)),
  )
