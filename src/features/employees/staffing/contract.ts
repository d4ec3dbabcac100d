import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Id = z.object({ id: z.uuid() })
const CrewName = z.object({ id: z.uuid(), name: z.string(), color: z.string() })

const CrewStretch = z.object({
  crew: CrewName,
  from: Day,
  /** The last day; null while it lasts. */
  to: Day.nullable(),
})
export type CrewStretch = z.output<typeof CrewStretch>

const put = {
  /** Null takes the person off every crew. */
  crewId: z.uuid().nullable(),
  from: Day,
  to: Day.nullable().default(null),
}
const inOrder = (asked: { from: string; to: string | null }): boolean => asked.to === null || asked.to >= asked.from
const outOfOrder = { path: ['to'], message: 'It ends before it begins.' }

const CrewEffect = z.object({
  crew: CrewName,
  /** Work days on which it has other people than before, the first of them, and what stands on them. */
  days: z.number().int(),
  firstDay: Day,
  stops: z.number().int(),
  peopleBefore: z.number().int(),
  peopleAfter: z.number().int(),
  /** Of these days, those with stops on which nobody is left. */
  emptyDays: z.number().int(),
  /** What the crew can do no more on one of these days though its stops need it. */
  loses: z.array(z.string()),
})
export type CrewEffect = z.output<typeof CrewEffect>

const StandIn = z.object({
  userId: z.uuid(),
  name: z.string(),
  /** Works in the office. */
  office: z.boolean(),
  /** The crew that the person is on that day. */
  home: CrewName.nullable(),
  /** How many are left on that crew, and what stands on it. */
  leaves: z.number().int(),
  homeStops: z.number().int(),
  /** What those stops need and nobody who is left there can or may. */
  homeLoses: z.array(z.string()),
  /** What the crew's stops need and it would not have with this person either. */
  missing: z.array(z.string()),
})
export type StandIn = z.output<typeof StandIn>

const CrewStaff = z.object({
  crew: CrewName,
  day: Day,
  works: z.boolean(),
  /** Who is on it that day; `lentBy` names the change that Undo takes back, for who is there for this day only. */
  members: z.array(z.object({ userId: z.uuid(), name: z.string(), away: z.boolean(), lentBy: z.uuid().nullable() })),
  stops: z.number().int(),
  workMinutes: z.number().int(),
  /** What the stops need that nobody at work can. */
  missing: z.array(z.string()),
  /** Who could come, the best first. */
  people: z.array(StandIn),
})
export type CrewStaff = z.output<typeof CrewStaff>

const Stretches = z.object({
  today: Day,
  /** By day, the past too. */
  items: z.array(CrewStretch),
})
const Changed = Stretches.extend({
  /** For Undo; null when nothing was to be changed. */
  changeId: z.uuid().nullable(),
})
const team = { access: 'office', permission: 'team', idempotent: true } as const
const schedules = { access: 'office', permission: 'schedule', needsSubscription: true, idempotent: true } as const

export const staffingApi = {
  stretches: endpoint({
    method: 'GET',
    path: '/api/employees/:id/crew-days',
    access: 'office',
    params: Id,
    response: Stretches,
    summary: 'When a person is and was on which crew',
  }),
  preview: endpoint({
    method: 'GET',
    path: '/api/employees/:id/crew-days/preview',
    access: 'office',
    params: Id,
    query: z
      .object({ crewId: z.uuid().optional(), from: Day, to: Day.optional() })
      .refine((asked) => inOrder({ from: asked.from, to: asked.to ?? null }), outOfOrder),
    response: z.object({ today: Day, until: Day, effects: z.array(CrewEffect) }),
    summary: 'What a change of crew does to the crews, in its first four weeks',
  }),
  put: endpoint({
    method: 'POST',
    path: '/api/employees/:id/crew-days',
    ...team,
    params: Id,
    body: z.object(put).refine(inOrder, outOfOrder),
    response: Changed,
    summary: 'Put a person on a crew from a day, or for some days; what was before and comes after stays',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/employees/:id/crew-days/undo',
    ...team,
    params: Id,
    body: z.object({ changeId: z.uuid() }),
    response: Stretches,
    summary: 'Take a change of crew back, as long as nothing came after it',
  }),
  standIns: endpoint({
    method: 'GET',
    path: '/api/crews/:id/stand-ins',
    access: 'office',
    permission: 'schedule',
    params: Id,
    query: z.object({ day: Day }),
    response: CrewStaff,
    summary: 'Who is at work for a crew on a day, and who could come to help',
  }),
  standIn: endpoint({
    method: 'POST',
    path: '/api/crews/:id/stand-ins',
    ...schedules,
    params: Id,
    /** `seenOn`: the crew that the screen showed the person on that day. */
    body: z.object({ day: Day, userId: z.uuid(), seenOn: z.uuid().nullable() }),
    response: CrewStaff.extend({ changeId: z.uuid().nullable() }),
    summary: 'Put a person on a crew for one day',
  }),
  endStandIn: endpoint({
    method: 'POST',
    path: '/api/crews/:id/stand-ins/undo',
    ...schedules,
    params: Id,
    body: z.object({ day: Day, userId: z.uuid(), changeId: z.uuid() }),
    response: CrewStaff,
    summary: 'Give a stand-in back to where they were',
  }),
}
