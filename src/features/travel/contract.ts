import { z } from 'zod'
import { endpoint } from '../../shared/endpoint.ts'

const TravelModel = z.object({ factorSeconds: z.number().int(), exponent: z.number() })

export const TravelFit = z.object({
  /** Clocked drives of the last four months that can be drives. */
  drives: z.number().int(),
  /** How many are needed before anything is suggested. */
  needed: z.number().int(),
  now: TravelModel,
  /** Better settings by these drives, with the median error in percent before and after; null when there is nothing to gain or to go by. */
  suggestion: TravelModel.extend({ errorBefore: z.number().int(), errorAfter: z.number().int() }).nullable(),
})
export type TravelFit = z.output<typeof TravelFit>

const Place = z.object({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) })
const Line = z.array(Place).min(2)

export const travelApi = {
  ways: endpoint({
    method: 'POST',
    path: '/api/travel/ways',
    access: 'member',
    body: z.object({ ways: z.array(Line.max(200)).max(20) }),
    response: z.object({
      /** In the same order; null where no road engine answers or the line goes nowhere or over 600 km: it stays straight. */
      ways: z.array(Line.nullable()),
      /** Another try in a minute may bring more: the engine did not answer, or not in time for all of them. */
      again: z.boolean(),
    }),
    summary: 'How lines through these places run on roads, for maps; nothing is kept on a record',
  }),
  fit: endpoint({
    method: 'GET',
    path: '/api/travel/fit',
    access: 'office',
    permission: 'settings',
    response: TravelFit,
    summary: 'How the estimate of drives compares with what crews clocked, and what would fit better',
  }),
  applyFit: endpoint({
    method: 'POST',
    path: '/api/travel/fit/apply',
    access: 'owner',
    idempotent: true,
    body: z.object({
      version: z.number().int(),
      /** What the owner saw; when the clocks say something else by now it is refused. */
      factorSeconds: z.number().int(),
      exponent: z.number(),
    }),
    response: TravelFit,
    summary: 'Take the settings that fit the clocked drives',
  }),
}
