import { z } from 'zod'
import { CrewNotice } from '../../shared/crew-notice.ts'
import { isDay } from '../../shared/dates.ts'
import { endpoint, type PhotoBody } from '../../shared/endpoint.ts'
import { roles } from '../../shared/roles.ts'
import { ChatMessage, chatPayload } from '../chat/contract.ts'
import { CrewCheck, truckCheckPayload } from '../equipment/checks/contract.ts'
import { PaidOnTheWay } from '../expenses/contract.ts'
import { largestUpload } from '../files/rules.ts'
import { notedPayload } from '../quotes/crew/contract.ts'
import { Phrase } from '../stops/contract.ts'
import { longestNote } from '../visits/notes/rules.ts'
import { visitStatuses } from '../visits/rules.ts'
import { ConflictAnswer } from './conflicts/contract.ts'
import { DoorFacts, doorPayload } from './door/contract.ts'
import { CrewExtras, extraPayload, StopExtra } from './extras/contract.ts'
import { LastTime, lastApi } from './last/contract.ts'
import { StopLoad } from './load/contract.ts'
import { Marks, markPayload, marksApi, StopPicture } from './marks/contract.ts'
import { commandTypes } from './rules.ts'
import { CrewSales, salePayload } from './sales/contract.ts'
import { CrewChemicals, StopTreatment, treatPayload } from './treat/contract.ts'

/** What employees get has serializers of its own: no price, cost or wage has a name in this file. What they may take at the door is `doors`. */

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const minute = z.number().int().nullable()

export const CrewStop = z.object({
  id: z.uuid(),
  version: z.number().int(),
  status: z.enum(visitStatuses),
  /** Where it stands in the day, from 1. */
  order: z.number().int(),
  street: z.string(),
  unit: z.string(),
  city: z.string(),
  state: z.string(),
  zip: z.string(),
  /** A day that is stored on a phone may not know. */
  propertyId: z.uuid().optional(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  /** How far from its point the property goes, where areas were drawn; a day that is stored on a phone may not know. */
  reachMeters: z.number().int().optional(),
  /** "R. Odom" */
  customer: z.string(),
  services: z.array(z.string()),
  /** The same in Spanish, in their order; a day that is stored on a phone may not know. */
  servicesEs: z.array(z.string()).optional(),
  instructions: z.string(),
  notes: z.object({
    dog: z.string(),
    parking: z.string(),
    noGo: z.string(),
    property: z.string(),
    mowHeightInches: z.number().nullable(),
    clippings: z.enum(['mulch', 'bag', 'side']),
  }),
  hasGateCode: z.boolean(),
  /** Labor minutes on site. */
  budgetMinutes: z.number().int(),
  people: z.number().int(),
  /** Planned on site by the clock, where people come or go meanwhile; else by the budget and the people. */
  minutes: z.number().int().optional(),
  windowStartMinute: minute,
  windowEndMinute: minute,
  plannedStartMinute: minute,
  driveSeconds: z.number().int().nullable(),
  /** As the crow flies from the stop before, by roads a little more; an estimate. */
  driveMeters: z.number().int().nullable(),
  /** The day on which it was begun, where that is the day before the plan's. */
  begunOn: Day.optional(),
  checklist: z.array(
    z.object({
      text: z.string(),
      /** The same in Spanish, where somebody wrote it. */
      es: z.string().optional(),
      required: z.boolean(),
      photo: z.boolean().optional(),
    }),
  ),
  /** Items that have a photo; with what follows, a day that is stored on a phone may not know. */
  photoItems: z.array(z.string()).optional(),
  /** What to know on this visit alone. */
  officeNote: z.string().optional(),
  checked: z.array(z.string()),
  photoRequired: z.boolean(),
  /** One of its services is mowing; a day that is stored on a phone may not know. */
  mows: z.boolean().optional(),
  treatment: StopTreatment.optional(),
  /** What it takes along; left out where that is nothing, and a day that is stored on a phone may not know. */
  load: StopLoad.optional(),
  photos: z.object({ before: z.number().int(), after: z.number().int(), other: z.number().int() }),
  enRouteAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  intervalStartedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  workedSeconds: z.number().int(),
  skipReason: z.string().nullable(),
  skipNote: z.string(),
  /** The office has given this stop another day since it was sent; a day that is stored on a phone may not know. */
  movedTo: Day.nullish(),
  /** The office has given this stop to another crew since it was sent; known of the stops of a day. */
  withOther: z.boolean().optional(),
  /** The office has given the skipped visit another day. */
  rebooked: z.boolean(),
  /** What the crew says to the office. */
  note: z.string(),
  /** What it says to the customer (one text of before, then in three parts) and to whoever comes next; with what follows, a day that is stored on a phone may not know. */
  customerNote: z.string().optional(),
  sawNote: z.string().optional(),
  didNote: z.string().optional(),
  expectNote: z.string().optional(),
  nextNote: z.string().optional(),
  /** Null where nobody was before. */
  last: LastTime.nullish(),
  /** What it costs more, as its crew said it. */
  extras: z.array(StopExtra).optional(),
  /** Its photos as the server has them, and what is drawn on any of its photos, also on those that are still on a phone. */
  pictures: z.array(StopPicture).optional(),
  marks: Marks.optional(),
  /** The language that the customer reads. */
  customerLanguage: z.enum(['en', 'es']).optional(),
})
export type CrewStop = z.output<typeof CrewStop>

export const CrewDayPlan = z.object({
  day: Day,
  /** False while the office may still change it. */
  published: z.boolean(),
  crew: z
    .object({
      id: z.uuid(),
      name: z.string(),
      color: z.string(),
      shiftStartMinute: z.number().int(),
      shiftEndMinute: z.number().int(),
      /** Of its lunch; a day that is stored on a phone may not know. */
      breakMinutes: z.number().int().optional(),
      members: z.array(z.string()),
      /** Whether this person may finish a stop although a required item is open. */
      leads: z.boolean().optional(),
      /** Whether this person may clock everybody in and out. */
      clocksCrew: z.boolean().optional(),
      /** Where its day begins and ends; a day that is stored on a phone may not know. */
      depot: z.object({ latitude: z.number(), longitude: z.number() }).nullish(),
    })
    .nullable(),
  /** Drive from the last stop to the depot. */
  homeMinutes: z.number().int(),
  /** The crew's break as the plan has it, and before which stop; none before the way home. Left out where nobody kept it. */
  rest: z.object({ beforeVisitId: z.uuid().nullable(), minutes: z.number().int() }).nullish(),
  stops: z.array(CrewStop),
  /** The look at the truck before the day, for a crew with equipment; a day that is stored on a phone may not know. */
  check: CrewCheck.nullish(),
})
export type CrewDayPlan = z.output<typeof CrewDayPlan>

export const CrewBundle = z.object({
  today: Day,
  timeZone: z.string(),
  serverTime: z.string(),
  days: z.array(CrewDayPlan),
  /** Why a crew may skip a stop; a bundle that is stored on a phone may not know. */
  skips: z
    .array(
      z.object({
        code: z.string(),
        nameEs: z.string(),
        needsPhoto: z.boolean(),
        needsNote: z.boolean(),
        /** Whether it costs the customer something; how much is the office's matter. */
        charged: z.boolean().optional(),
      }),
    )
    .optional(),
  /** What crews may pick instead of typing. */
  phrases: z.array(Phrase).optional(),
  /** For who may take money at the door: what is owed there. */
  doors: z.array(DoorFacts).optional(),
  /** What the office told this person and they have not seen. */
  notices: z.array(z.object({ id: z.uuid(), at: z.string(), about: CrewNotice })).optional(),
  /** What the office decided about work that was not applied. */
  answers: z.array(ConflictAnswer).optional(),
  /** What crews may say that a stop costs more; left out where the business wants nothing of it. */
  extras: CrewExtras.optional(),
  /** What crews may sell at the door, where the office has ticked services for it. */
  sales: CrewSales.optional(),
  /** Where something on these days is treated. */
  chemicals: CrewChemicals.optional(),
})
export type CrewBundle = z.output<typeof CrewBundle>

/** What a stop is, without its place in a day: that is the plan's matter and does not change by what the crew does. */
export const StopDetail = CrewStop.omit({
  order: true,
  people: true,
  minutes: true,
  plannedStartMinute: true,
  driveSeconds: true,
  driveMeters: true,
  begunOn: true,
  withOther: true,
})
export type StopDetail = z.output<typeof StopDetail>

const results = ['applied', 'duplicate', 'conflict', 'refused'] as const

export const CommandReply = z.object({
  id: z.uuid(),
  result: z.enum(results),
  reason: z.string().nullable(),
  visit: StopDetail.nullable(),
  /** After money was taken: what is owed there now. */
  door: DoorFacts.optional(),
  /** After something was written: how it stands in its thread. */
  said: ChatMessage.optional(),
})
export type CommandReply = z.output<typeof CommandReply>

/** Typed over what stood there. */
const NoteText = z.object({ was: z.string().max(longestNote), text: z.string().max(longestNote) })

const Command = z.object({
  id: z.uuid(),
  type: z.enum(commandTypes),
  visitId: z.uuid().optional(),
  /** The phone's clock; kept as it is, put right beside it. */
  at: z.string().max(40),
  /** The street as the phone has it, for a visit that was deleted meanwhile. */
  label: z.string().max(120).optional(),
  payload: z
    .object({
      reason: z.string().trim().min(1).max(60).optional(),
      note: z.string().max(2000).optional(),
      customerNote: NoteText.optional(),
      sawNote: NoteText.optional(),
      didNote: NoteText.optional(),
      expectNote: NoteText.optional(),
      nextNote: NoteText.optional(),
      item: z.string().max(200).optional(),
      done: z.boolean().optional(),
      endedAt: z.string().max(40).optional(),
      without: z.string().max(500).optional(),
      crew: z.boolean().optional(),
      kind: z.enum(['work', 'shop', 'rain']).optional(),
      week: Day.optional(),
      ...doorPayload,
      ...chatPayload,
      ...treatPayload,
      paid: PaidOnTheWay.optional(),
      ...truckCheckPayload,
      ...extraPayload,
      ...markPayload,
      ...salePayload,
      ...notedPayload,
    })
    .default({}),
  /** Raised when a person sends again what was not taken. */
  attempt: z.number().int().min(1).max(1000).optional(),
  clock: z
    .object({
      behind: z.number().int().min(-100_000_000).max(100_000_000),
      sure: z.boolean(),
      likely: z.boolean().optional(),
    })
    .optional(),
})

const Employee = z.object({
  _id: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  role: z.enum(roles),
  language: z.enum(['en', 'es']),
  crews: z.array(
    z.object({
      _id: z.uuid(),
      name: z.string(),
      color: z.string(),
      leader: z.boolean(),
      members: z.array(z.string()),
    }),
  ),
  business: z.object({ name: z.string(), phone: z.string().nullable(), timeZone: z.string() }),
})
export type Employee = z.output<typeof Employee>

export const crewappApi = {
  lastPhotos: lastApi.photos,
  stopPhotos: marksApi.stopPhotos,
  profile: endpoint({
    method: 'GET',
    path: '/api/employee/profile',
    access: 'member',
    response: z.object({ employee: Employee }),
  }),
  setLanguage: endpoint({
    method: 'PATCH',
    path: '/api/employee/profile',
    access: 'member',
    body: z.object({ language: z.enum(['en', 'es']) }),
    response: z.object({ employee: Employee }),
  }),
  todayJobs: endpoint({
    method: 'GET',
    path: '/api/employee/today-jobs',
    access: 'member',
    response: z.object({ jobs: z.array(CrewStop) }),
  }),
  todayRoute: endpoint({
    method: 'GET',
    path: '/api/employee/today-route',
    access: 'member',
    response: z.object({ route: CrewDayPlan.nullable() }),
  }),
  day: endpoint({
    method: 'GET',
    path: '/api/crew/day',
    access: 'member',
    query: z.object({ day: Day.optional() }),
    response: CrewBundle,
    summary: 'A day and the two after it, to work without a signal',
  }),
  commands: endpoint({
    method: 'POST',
    path: '/api/crew/commands',
    access: 'member',
    body: z.object({
      commands: z.array(Command).min(1).max(100),
      /** The phone's clock at the moment of sending: how far it is off. */
      sentAt: z.string().max(40).optional(),
    }),
    response: z.object({ results: z.array(CommandReply), serverTime: z.string() }),
    summary: 'What a phone did, in order; each command is applied once by its own id',
  }),
  gateCode: endpoint({
    method: 'POST',
    path: '/api/crew/visits/:visitId/gate-code',
    access: 'member',
    params: z.object({ visitId: z.uuid() }),
    response: z.object({ code: z.string() }),
    summary: 'Show a gate code to the crew of the day; who saw it is written down',
  }),
  addPhoto: endpoint({
    method: 'POST',
    path: '/api/crew/visits/:visitId/photos',
    access: 'member',
    bodyLimitBytes: largestUpload,
    params: z.object({ visitId: z.uuid() }),
    query: z.object({
      id: z.uuid(),
      kind: z.enum(['before', 'after', 'other']).default('after'),
      takenAt: z.iso.datetime({ offset: true }).optional(),
      /** The item of the checklist that it shows. */
      item: z.string().max(200).optional(),
      /** Where it was taken, of who shares that. */
      latitude: z.coerce.number().min(-90).max(90).optional(),
      longitude: z.coerce.number().min(-180).max(180).optional(),
      accuracyMeters: z.coerce.number().int().min(0).max(100_000).optional(),
    }),
    body: z.any() as z.ZodType<PhotoBody>,
    response: z.object({ id: z.uuid(), kind: z.enum(['before', 'after', 'other']), url: z.string() }),
    summary: 'A photo as raw image/jpeg, image/png or image/webp; a repeat with the same id answers the first',
  }),
  addCheckPhoto: endpoint({
    method: 'POST',
    path: '/api/crew/door-receipts/:receiptId/photos',
    access: 'member',
    bodyLimitBytes: largestUpload,
    params: z.object({ receiptId: z.uuid() }),
    body: z.any() as z.ZodType<PhotoBody>,
    response: z.object({ kept: z.literal(true) }),
    summary: 'The photo of a check, by whoever took it; a second one changes nothing',
  }),
}
