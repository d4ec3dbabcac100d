import { z } from 'zod'
import { isDay } from '../../shared/dates.ts'
import { endpoint } from '../../shared/endpoint.ts'
import { acceptanceActions, mostMoves, runActions, type wishLimits, wishRefusal } from './rules.ts'

const Day = z.string().refine(isDay, 'Not a day of the calendar')
const Place = { lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }
const Weekday = z.number().int().min(0).max(6)

const within =
  (kind: keyof typeof wishLimits) =>
  (value: number, context: z.RefinementCtx): void => {
    const message = wishRefusal(kind, value)
    if (message) context.addIssue({ code: 'custom', message })
  }

/** What a what-if changes of today; nothing of it is ever taken over. */
export const WhatIf = z.discriminatedUnion('kind', [
  /** One more crew, with the people, hours and skills of another one; without a place it starts where that one does. */
  z.object({ kind: z.literal('crew'), likeCrewId: z.uuid(), place: z.object(Place).nullable() }),
  /** Where a crew starts, or all of them. */
  z.object({ kind: z.literal('depot'), crewId: z.uuid().nullable(), place: z.object(Place) }),
  z.object({
    kind: z.literal('lawns'),
    count: z.number().superRefine(within('count')),
    place: z.object(Place),
    radiusMiles: z.number().superRefine(within('radiusMiles')),
    /** Labor minutes on site. */
    minutes: z.number().superRefine(within('minutes')),
    everyWeeks: z.number().int().min(1).max(4),
  }),
  /** All crews work on these weekdays only, with the hours of their week. */
  z.object({
    kind: z.literal('days'),
    days: z
      .array(Weekday)
      .min(1, 'Choose at least one day.')
      .max(6)
      .refine((days) => new Set(days).size === days.length, 'Each day once'),
  }),
])
export type WhatIf = z.output<typeof WhatIf>

/** Weekday (0 is Sunday), week of the rhythm (0 is A of two weeks) and crew. */
const Slot = z.object({ crewId: z.uuid(), day: Weekday, week: z.number().int() })
export type SeasonPlace = z.output<typeof Slot>

/** Driving as it comes in an average week and in a year's season. Money is null for who does not see wages. */
const Sum = z.object({
  driveSecondsWeek: z.number().int(),
  driveSecondsYear: z.number().int(),
  driveMetersYear: z.number().int(),
  /** Wages on the road and the trucks' miles. */
  driveCentsYear: z.number().int().nullable(),
  /** Beyond the crews' hours, in an average week. */
  overSecondsWeek: z.number().int(),
  stopsWeek: z.number(),
  /** Days with stops of all crews in an average week. */
  crewDaysWeek: z.number(),
})
export type SeasonSum = z.output<typeof Sum>

/** One crew's weekday: its fullest week against its hours, and its driving in an average one. */
const Load = z.object({
  crewId: z.uuid(),
  day: Weekday,
  roomSeconds: z.number().int(),
  before: z.object({ stops: z.number().int(), fullestSeconds: z.number().int(), driveSeconds: z.number().int() }),
  after: z.object({ stops: z.number().int(), fullestSeconds: z.number().int(), driveSeconds: z.number().int() }),
  /** Why it is over its hours in the plan, too; null where it is not. */
  overWhy: z.string().nullable(),
})
export type SeasonLoad = z.output<typeof Load>

const Lawn = z.object({
  jobId: z.uuid(),
  customerId: z.uuid(),
  customerName: z.string(),
  title: z.string(),
  street: z.string(),
  /** City and ZIP code: by it plans are taken over in parts. */
  neighborhood: z.string(),
  lat: z.number(),
  lng: z.number(),
  everyWeeks: z.number().int(),
  /** Other weekdays on which it comes as well: work on several days a week, which stays. */
  alsoOn: z.array(Weekday),
  /** It keeps its day, and why; null where it may move. */
  keeps: z.string().nullable(),
  from: Slot,
  to: Slot,
})
export type SeasonLawn = z.output<typeof Lawn>

const moveStates = ['open', 'accepted'] as const
const Move = z.object({
  jobId: z.uuid(),
  /** What a year drives more if this one alone stayed. */
  worthSecondsYear: z.number().int(),
  /** What crews would work more a year beyond their hours if this one alone stayed. */
  relievesSecondsYear: z.number().int(),
  why: z.string(),
  /** What should be known of its new crew. */
  warning: z.string().nullable(),
  state: z.enum(moveStates),
})
export type SeasonMove = z.output<typeof Move>

const Left = z.object({ jobId: z.uuid(), customerName: z.string(), street: z.string(), why: z.string() })

const Acceptance = z.object({
  id: z.uuid(),
  fromOn: Day,
  at: z.string(),
  byName: z.string().nullable(),
  moves: z.number().int(),
  /** Visits that came to another day. */
  visitsMoved: z.number().int(),
  /** Visits that stayed: placed by hand, under way or on an invoice. */
  visitsKept: z.number().int(),
  undoneMoves: z.number().int(),
  lettersAt: z.string().nullable(),
  /** Its letters: those that wait, those that left, and those that were called back or did not get out. */
  letters: z.object({ waiting: z.number().int(), left: z.number().int(), stayed: z.number().int() }),
  /** Visits that lack a license with their new crew on their day, and one of them in words. */
  unlicensed: z.object({ visits: z.number().int(), example: z.string() }).nullable(),
  can: z.record(z.enum(acceptanceActions), z.boolean()),
})
export type SeasonAcceptance = z.output<typeof Acceptance>

const Crew = z.object({
  id: z.uuid(),
  name: z.string(),
  color: z.string(),
  lat: z.number(),
  lng: z.number(),
})

export const SeasonRun = z.object({
  id: z.uuid(),
  kind: z.enum(['plan', 'whatif']),
  label: z.string(),
  status: z.enum(['running', 'ready', 'failed']),
  startedAt: z.string(),
  startedByName: z.string().nullable(),
  error: z.string().nullable(),
  progress: z.object({ share: z.number(), savedSecondsYear: z.number().int(), moves: z.number().int() }).nullable(),
  result: z
    .object({
      /** Weeks of work in a year. */
      weeks: z.number().int(),
      /** As today, and as it would be. */
      before: Sum,
      after: Sum,
      /** Of a what-if: the best days without the change, so that what the change itself brings can be seen. */
      unchanged: Sum.nullable(),
      crews: z.array(Crew),
      loads: z.array(Load),
      lawns: z.array(Lawn),
      moves: z.array(Move),
      /** Work that is in no day, or in none of the plan, with why. */
      left: z.array(Left),
      leftCount: z.number().int(),
      /** What found no place under the hours of the crews; with any, less driving is no saving. */
      unplaced: z.number().int(),
      /** Work of today among it, with why. */
      inTheWay: z.array(Left),
      /** Somebody ended it early: the best so far. */
      stopped: z.boolean(),
      tookMs: z.number().int(),
    })
    .nullable(),
  /** What changed since it was read, in words; a plan with any is not taken over. At most eight, and how many there are. */
  stale: z.array(z.string()),
  staleCount: z.number().int(),
  acceptances: z.array(Acceptance),
  can: z.record(z.enum(runActions), z.boolean()),
})
export type SeasonRun = z.output<typeof SeasonRun>

const Listed = SeasonRun.pick({
  id: true,
  kind: true,
  label: true,
  status: true,
  startedAt: true,
  startedByName: true,
}).extend({
  /** Null where there is no result, and where not everything has a place. */
  savedSecondsYear: z.number().int().nullable(),
  unplaced: z.number().int(),
})
export type SeasonListed = z.output<typeof Listed>

/** What taking over some of the moves would bring. */
const Check = z.object({
  moves: z.number().int(),
  savedSecondsYear: z.number().int(),
  savedCentsYear: z.number().int().nullable(),
  /** Crew-days that would be over their hours, and more so than today. */
  over: z.array(
    z.object({
      crewId: z.uuid(),
      day: Weekday,
      week: z.number().int(),
      overSeconds: z.number().int(),
      /** What it is over its hours without these moves. */
      todaySeconds: z.number().int(),
      text: z.string(),
    }),
  ),
  /** The most of them that fit; all of them where nothing is over. */
  fitting: z.array(z.uuid()),
})
export type SeasonCheck = z.output<typeof Check>

const LetterItem = z.object({
  /** That they moved, or that they stay although they were told so. */
  kind: z.enum(['moves', 'stays']),
  customerId: z.uuid(),
  customerName: z.string(),
  language: z.enum(['en', 'es']),
  channel: z.enum(['sms', 'email']).nullable(),
  /** Why nothing reaches them. */
  reason: z.string().nullable(),
  text: z.string(),
  sentAt: z.string().nullable(),
  /** It has not left yet and can be called back. */
  waiting: z.boolean(),
  /** What it tells is so: a job that was changed by hand since has other days by now. */
  holds: z.boolean(),
})
export type SeasonLetter = z.output<typeof LetterItem>

const Letters = z.object({
  items: z.array(LetterItem),
  counts: z.object({
    texts: z.number().int(),
    emails: z.number().int(),
    unreached: z.number().int(),
    told: z.number().int(),
    /** Of those told: letters that have not left yet. */
    waiting: z.number().int(),
  }),
})
export type SeasonLetters = z.output<typeof Letters>

const reads = { access: 'office', permission: 'schedule' } as const
const searches = { ...reads, needsSubscription: true } as const
const changes = { ...searches, idempotent: true } as const
const Id = z.object({ id: z.uuid() })
const Chosen = z.array(z.uuid()).max(2000)

export const seasonApi = {
  overview: endpoint({
    method: 'GET',
    path: '/api/season',
    ...reads,
    response: z.object({
      today: Day,
      /** The first day on which changed work may begin: later than today and than what crews were sent. */
      earliestOn: Day,
      suggestedOn: Day,
      weeks: z.number().int(),
      /** Recurring jobs that can be planned, and those that cannot. */
      jobs: z.number().int(),
      left: z.array(Left),
      leftCount: z.number().int(),
      keeping: z.number().int(),
      crews: z.array(Crew.extend({ days: z.array(Weekday) })),
      neighborhoods: z.array(z.object({ name: z.string(), jobs: z.number().int(), lat: z.number(), lng: z.number() })),
      /** The last searches, the newest first. */
      runs: z.array(Listed),
    }),
    summary: 'What a plan of the season would be made of, and the last ones',
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/season/runs',
    ...searches,
    body: z.object({ whatIf: WhatIf.nullable().default(null) }),
    response: z.object({ run: SeasonRun }),
    summary: 'Search for better days, weeks and crews of all recurring work, or see what a change would bring',
  }),
  run: endpoint({
    method: 'GET',
    path: '/api/season/runs/:id',
    ...reads,
    params: Id,
    response: SeasonRun,
    summary: 'A search with what it found, what of it was taken over, and what changed since',
  }),
  stop: endpoint({
    method: 'POST',
    path: '/api/season/runs/:id/stop',
    ...searches,
    params: Id,
    response: SeasonRun,
    summary: 'End a search with the best so far',
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/season/runs/:id/check',
    ...reads,
    params: Id,
    body: z.object({ jobIds: Chosen }),
    response: Check,
    summary: 'What taking over these moves would bring, and whether they fit, without doing it',
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/season/runs/:id/accept',
    ...searches,
    idempotent: 'steps',
    params: Id,
    body: z.object({
      jobIds: z
        .array(z.uuid())
        .min(1, 'Choose at least one job.')
        .max(mostMoves, `At most ${mostMoves} at a time: take over one neighborhood or crew after another.`),
      fromOn: Day,
    }),
    response: SeasonRun,
    summary: 'Move these jobs to their new day, week and crew from a day on',
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/season/acceptances/:id/undo',
    ...changes,
    params: Id,
    response: z.object({
      run: SeasonRun,
      restoredJobs: z.number().int(),
      /** Customers to whom letters of their new day left before: they can be told that their old one stays. */
      told: z.number().int(),
      kept: z.array(z.object({ customerName: z.string(), day: z.string().nullable(), why: z.string() })),
    }),
    summary: 'Put back what nobody changed since; the rest stays and is named',
  }),
  letters: endpoint({
    method: 'GET',
    path: '/api/season/acceptances/:id/letters',
    ...reads,
    params: Id,
    response: Letters,
    summary: 'What each customer who moved would read, and by which way, or why not',
  }),
  send: endpoint({
    method: 'POST',
    path: '/api/season/acceptances/:id/letters',
    ...changes,
    params: Id,
    /** How many the button said; another number is refused. */
    body: z.object({ expected: z.number().int().min(1) }),
    response: Letters,
    summary: 'Tell the customers who moved, each once, by text or mail, and those who were told and stay',
  }),
  recall: endpoint({
    method: 'POST',
    path: '/api/season/acceptances/:id/letters/recall',
    ...changes,
    params: Id,
    response: Letters,
    summary: 'Call back the letters of a step that have not left yet; who gets none can be told anew',
  }),
  paper: endpoint({
    method: 'GET',
    path: '/api/season/acceptances/:id/letters.pdf',
    ...reads,
    params: Id,
    response: z.unknown(),
    summary: 'Letters to print for those whom nothing else reaches',
  }),
}
