import type { Stroke } from '../../shared/strokes.ts'
import { isSendable } from '../chat/rules.ts'
import type { TruckCheck } from '../equipment/checks/contract.ts'
import type { PaidOnTheWay } from '../expenses/rules.ts'
import type { CrewSale } from '../extras/sales/rules.ts'
import { type DoorMethod, isDoorMoney, type ReceiptWay } from '../payments/door/rules.ts'
import { isClockDay, isClockInstant, skewLimitSeconds } from '../timeclock/rules.ts'
import { type NoteChange, noteFields } from '../visits/notes/rules.ts'
import { nextStatus, type VisitStatus, type VisitVerb } from '../visits/rules.ts'

/** What a phone may ask for, and what becomes of it. The server and the phone's own preview use the same functions. */

export const clockCommands = ['clock_in', 'clock_out', 'break_start', 'break_end', 'switch'] as const
export const visitCommands = [
  'en_route',
  'start',
  'pause',
  'resume',
  'finish',
  'skip',
  'undo_skip',
  'note',
  'check',
] as const
/** Money that is taken at a stop, and its receipt asked for again. */
export const doorCommands = ['collect', 'receipt'] as const
/** A week that is handed in, or asked about. */
export const sheetCommands = ['submit_week', 'ask_week'] as const
/** What is written to the office or a crew; the command's id is the message's. */
export const chatCommands = ['chat'] as const
/** Something that was paid on the way, handed to the office with its photos; the command's id is the expense's. */
export const paidCommands = ['hand_in'] as const
/** The look at the truck before the day. */
export const truckCommands = ['truck_check'] as const
/** An application of chemicals that is written down; the command's id is the record's. */
export const treatCommands = ['treat'] as const
/** What a stop costs more; the command's id is the extra's. */
export const extraCommands = ['overgrown', 'sell', 'drop_extra'] as const
/** What a customer would like, for the office to price; the command's id is the quote's. */
export const quoteCommands = ['note_quote'] as const
/** What is drawn on a photo of a stop. */
export const markCommands = ['mark'] as const
/** A gate code that was looked at without a signal, as this phone had it from earlier in the day. */
export const gateCommands = ['gate_seen'] as const
export const commandTypes = [
  ...clockCommands,
  ...visitCommands,
  ...doorCommands,
  ...sheetCommands,
  ...chatCommands,
  ...paidCommands,
  ...truckCommands,
  ...treatCommands,
  ...extraCommands,
  ...markCommands,
  ...quoteCommands,
  ...gateCommands,
] as const
export type CommandType = (typeof commandTypes)[number]
export type ClockCommand = (typeof clockCommands)[number]
export type VisitCommand = (typeof visitCommands)[number]
export type DoorCommand = (typeof doorCommands)[number]
export type SheetCommand = (typeof sheetCommands)[number]

export const isClockCommand = (type: CommandType): type is ClockCommand =>
  (clockCommands as readonly string[]).includes(type)

export const isDoorCommand = (type: CommandType): type is DoorCommand =>
  (doorCommands as readonly string[]).includes(type)

export const isSheetCommand = (type: CommandType): type is SheetCommand =>
  (sheetCommands as readonly string[]).includes(type)

export const isChatCommand = (type: CommandType): type is (typeof chatCommands)[number] =>
  (chatCommands as readonly string[]).includes(type)

export const isPaidCommand = (type: CommandType): type is (typeof paidCommands)[number] =>
  (paidCommands as readonly string[]).includes(type)
export const isVisitCommand = (type: CommandType): type is VisitCommand =>
  (visitCommands as readonly string[]).includes(type)

export const isExtraCommand = (type: CommandType): type is (typeof extraCommands)[number] =>
  (extraCommands as readonly string[]).includes(type)

export const isTreatCommand = (type: CommandType): type is (typeof treatCommands)[number] => type === 'treat'

/** What was noted for a quote, as a phone sends it. */
export type NotedForQuote = {
  propertyId: string
  lines: { serviceId: string; quantity: number; squareFeet: number | null; feet: number | null }[]
  note: string
  /** Photos that an older version of the app had sent before. */
  photoIds?: string[] | undefined
}

/** What a command carries besides its visit and its time. */
export type CommandPayload = {
  /** skip */
  reason?: string
  /** skip, finish, note */
  note?: string
  /** note: what the customer reads, and what the next crew does */
  customerNote?: NoteChange
  sawNote?: NoteChange
  didNote?: NoteChange
  expectNote?: NoteChange
  nextNote?: NoteChange
  /** check */
  item?: string
  done?: boolean
  /** finish: why a required item is not ticked */
  without?: string
  /** clock_out: when it really ended, said later */
  endedAt?: string
  /** clock_in, clock_out: for everybody of the crew, by its leader */
  crew?: boolean
  /** switch */
  kind?: 'work' | 'shop' | 'rain'
  /** submit_week, ask_week: any day of it; asking has a note */
  week?: string
  /** collect */
  amountCents?: number
  /** What of it is for the crew. */
  tipCents?: number
  method?: DoorMethod
  checkNumber?: string
  /** collect: how the customer wants the receipt, if at all; receipt */
  receiptBy?: ReceiptWay
  /** receipt: which one */
  receiptId?: string
  /** chat */
  threadId?: string
  text?: string
  /** chat: the visit that it is about */
  aboutVisitId?: string
  /** chat: photos that follow, by their ids */
  photoIds?: string[]
  /** treat: the record, and whether nothing is lacking */
  record?: Record<string, unknown>
  whole?: boolean
  ourTimes?: ('startedAt' | 'endedAt')[]
  weatherAt?: string
  /** finish: why it is left without a complete record */
  noRecord?: string
  /** hand_in */
  paid?: PaidOnTheWay
  /** overgrown: how much, and the photos that show it, which follow */
  overgrown?: { stepId: string; note: string; photoIds: string[] }
  /** sell */
  sale?: CrewSale
  /** drop_extra */
  extraId?: string
  /** mark: lines that were drawn and taken away */
  mark?: { photoId: string; add: Stroke[]; gone: string[] }
  /** note_quote */
  noted?: NotedForQuote
  /** truck_check */
  truckCheck?: TruckCheck
}

/**
 * What a phone knew of its clock when the thumb came down: how many seconds it was behind ours, and whether nobody can have set it since. `likely`:
 * somebody may have, as the phone slept or the app was closed meanwhile, but nothing says so: what is shown follows it, what is booked does not.
 */
export type PhoneClock = { behind: number; sure: boolean; likely?: boolean | undefined }

export type CrewCommand = {
  id: string
  type: CommandType
  visitId?: string
  /** The phone's clock when the thumb came down. */
  at: string
  payload: CommandPayload
  /** Where it was, as the phone has it: for a visit that is gone by now. */
  label?: string
  /** How often a person has sent it; without it once. */
  attempt?: number
  /** Nothing before the server has answered for the first time since the app was opened. */
  clock?: PhoneClock
}

/** Why a command was not applied; the phone has the words in both languages. */
export type CommandReason =
  | 'already'
  | 'not_found'
  | 'not_yours'
  | 'invalid'
  | 'not_clocked_in'
  | 'not_on_break'
  | 'not_started'
  | 'rebooked'
  | 'billed'
  | 'not_leader'
  | 'own_only'
  | 'begun'
  | 'unscheduled'
  | 'canceled'
  | 'skipped'
  | 'missed'
  | 'other_person'
  | 'collect_off'
  | 'no_receipt'
  | 'locked_week'
  | 'still_in'
  | 'no_time'
  | 'chat_closed'
  | 'no_license'
  | 'bad_record'
  | 'failed'
  | 'decided'

/** What became of a command when it was judged; a repeat is answered with the same. */
export type CommandOutcome = { result: 'applied' | 'conflict' | 'refused'; reason: CommandReason | null }

/** What a person is told of a command although it was applied: not all of it was. */
export const isHalfDone = (reason: string | null): boolean => reason === 'own_only'

/**
 * What becomes of a command over which the server broke: work, time, money, what was signed for and treatments wait for the office; the rest waits on the phone, where
 * its words are, until it is sent again.
 */
export const failedOutcome = (type: CommandType): CommandOutcome => ({
  result:
    isClockCommand(type) || isVisitCommand(type) || type === 'collect' || type === 'sell' || isTreatCommand(type)
      ? 'conflict'
      : 'refused',
  reason: 'failed',
})

const storableText = (text: string): string => text.replace(/[^\P{Cc}\n\r\t]/gu, '').toWellFormed()

const storableValue = (value: unknown): unknown =>
  typeof value === 'string'
    ? storableText(value)
    : Array.isArray(value)
      ? value.map(storableValue)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), storableValue(inner)]))
        : value

/** A command whose texts the database can hold: no halves of characters, as a cut through an emoji leaves them, and no control characters but line breaks and tabs. */
export const storable = (command: CrewCommand): CrewCommand => ({
  ...command,
  payload: storableValue(command.payload) as CommandPayload,
})

const verbs: Record<Exclude<VisitCommand, 'note' | 'check'>, VisitVerb> = {
  en_route: 'leave',
  start: 'start',
  pause: 'pause',
  resume: 'resume',
  finish: 'finish',
  skip: 'skip',
  undo_skip: 'unskip',
}

const closedByOffice: readonly VisitStatus[] = ['canceled', 'missed', 'unscheduled']
const working: readonly VisitStatus[] = ['in_progress', 'paused', 'completed']

export type Verdict = { kind: 'apply' } | { kind: 'already' | 'conflict' | 'refused'; reason: CommandReason }

const conflicting = (reason: CommandReason): Verdict => ({ kind: 'conflict', reason })
const already: Verdict = { kind: 'already', reason: 'already' }

/** What of a stop decides what its crew can do there. `rebooked`: a skipped visit has another day, or its work stands elsewhere. */
export type StopState = {
  status: VisitStatus
  rebooked: boolean
  /** The charge for a skip is on an invoice. */
  billed?: boolean
  startedAt?: string | null
  /** When the work that goes on now began: after a skip that was taken back, later than the start. */
  intervalStartedAt?: string | null
}

/**
 * What a command on a visit in some state comes to. States only move forward: what two people of a crew both pressed happens once, and work on a
 * visit that the office has closed meanwhile is a conflict that a person looks at, with its time kept.
 * @param at when it was pressed: a skip from before the work began must not end that work when it comes late
 */
export const verdictOn = (type: VisitCommand, stop: StopState, at?: string): Verdict => {
  const { status, rebooked } = stop
  const begunAt = stop.intervalStartedAt ?? stop.startedAt
  if (type === 'note' || type === 'check') return { kind: 'apply' }
  if (type === 'undo_skip' && status === 'skipped' && stop.billed) return conflicting('billed')
  if (type === 'undo_skip' && status === 'skipped' && rebooked) return conflicting('rebooked')
  if (type === 'skip' && working.includes(status) && at && begunAt && Date.parse(at) < Date.parse(begunAt))
    return conflicting('begun')
  if (nextStatus(verbs[type], status)) return { kind: 'apply' }
  if (type === 'start' && status === 'paused') return { kind: 'apply' }
  if (type === 'resume' && (status === 'scheduled' || status === 'en_route')) return { kind: 'apply' }
  if (closedByOffice.includes(status)) return conflicting(status as CommandReason)
  if (type === 'skip') return status === 'skipped' ? already : conflicting('begun')
  if (type === 'undo_skip') return already
  if (status === 'skipped') return conflicting('skipped')
  if (type === 'pause' && !working.includes(status)) return { kind: 'refused', reason: 'not_started' }
  return already
}

/** Whether a crew can do something at a stop now. The phone has no signal to ask with: it follows the verdict that the server will give. */
export const canDo = (type: VisitCommand, stop: StopState, at?: string): boolean =>
  verdictOn(type, stop, at).kind === 'apply'

/** What is wrong with a command as it came, or null. Checked for each alone, so that one bad one does not hold up the others. */
export const validationErrorOf = (command: CrewCommand): CommandReason | null => {
  const { type, payload } = command
  if (!isClockInstant(command.at)) return 'invalid'
  if (type === 'switch' && !payload.kind) return 'invalid'
  if (isClockCommand(type)) return payload.endedAt !== undefined && !isClockInstant(payload.endedAt) ? 'invalid' : null
  if (isSheetCommand(type))
    return isClockDay(payload.week ?? '') && (type === 'submit_week' || payload.note?.trim()) ? null : 'invalid'
  if (isChatCommand(type))
    return payload.threadId && isSendable({ text: payload.text ?? '', photoCount: payload.photoIds?.length ?? 0 })
      ? null
      : 'invalid'
  if (isPaidCommand(type)) return payload.paid ? null : 'invalid'
  if (type === 'truck_check') return payload.truckCheck ? null : 'invalid'
  if (type === 'note_quote') return payload.noted ? null : 'invalid'
  if (!command.visitId) return 'invalid'
  if (type === 'skip') {
    if (!payload.reason) return 'invalid'
    return payload.reason === 'other' && !payload.note?.trim() ? 'invalid' : null
  }
  if (type === 'note') return payload.note?.trim() || noteFields.some((field) => payload[field]) ? null : 'invalid'
  if (type === 'check') return payload.item ? null : 'invalid'
  if (type === 'collect') return isDoorMoney(payload) ? null : 'invalid'
  if (type === 'treat') return payload.record ? null : 'invalid'
  // What nobody can see, nobody is charged for.
  if (type === 'overgrown') return payload.overgrown?.photoIds.length ? null : 'invalid'
  if (type === 'sell') return payload.sale ? null : 'invalid'
  if (type === 'mark') return payload.mark ? null : 'invalid'
  if (type === 'drop_extra') return payload.extraId ? null : 'invalid'
  if (type === 'receipt') return payload.receiptId && payload.receiptBy ? null : 'invalid'
  return null
}

/** Seconds that the server is ahead of a phone, from the phone's time at the moment of sending. */
export const skewOf = (sentAt: string | undefined, nowMs: number): number => {
  return sentAt !== undefined && isClockInstant(sentAt) ? Math.round((nowMs - Date.parse(sentAt)) / 1000) : 0
}

/**
 * By how much a phone's tap is put right, and how far off its entry is said to be. What the phone knew for sure at the tap goes before what its clock
 * shows when it sends; where both differ and nobody knows when the clock was set, the office looks at it.
 */
export const tapSkew = (known: PhoneClock | undefined, sentSeconds: number): { shift: number; told: number } => {
  if (known?.sure) return { shift: known.behind, told: known.behind }
  const wasSet = known !== undefined && Math.abs(known.behind - sentSeconds) > skewLimitSeconds
  return {
    shift: sentSeconds,
    told: wasSet && Math.abs(sentSeconds) <= skewLimitSeconds ? known.behind : sentSeconds,
  }
}

/** A phone's instant on our clock: put right when the phone is off by more than two minutes, never in the future. */
export const ourInstant = (at: string, skewSeconds: number, nowMs: number): string => {
  const shift = Math.abs(skewSeconds) > skewLimitSeconds ? skewSeconds * 1000 : 0
  return new Date(Math.min(Date.parse(at) + shift, nowMs)).toISOString()
}

const isShown = (known: PhoneClock | undefined): known is PhoneClock => known?.sure === true || known?.likely === true

/** What a phone shows as now: our clock, where it knows that its own is off by more than two minutes and nothing says that it was set since. */
export const shownNow = (wallMs: number, known: PhoneClock | undefined): number =>
  isShown(known)
    ? Date.parse(ourInstant(new Date(wallMs).toISOString(), known.behind, Number.POSITIVE_INFINITY))
    : wallMs

/** A tap as it is shown before the server has heard of it: at the time at which it will be booked, as far as the phone knows that. */
export const onOurClock = (command: CrewCommand): CrewCommand =>
  isShown(command.clock) && isClockInstant(command.at)
    ? { ...command, at: ourInstant(command.at, command.clock.behind, Number.POSITIVE_INFINITY) }
    : command

/** What waits for the office: what a phone tapped, or photos that came without a tap. */
export type HeldType = CommandType | 'photo'

/** What a tap on the clock was, as the office reads it. */
export const clockTapWords: Record<ClockCommand, string> = {
  clock_in: 'Clocked in',
  clock_out: 'Clocked out',
  break_start: 'Went on a break',
  break_end: 'Came back from a break',
  switch: 'Went over to other work',
}

/** Why the place of a visit kept work from it: nothing of it was put on the visit, as it is on one that the office had closed. */
export const isOutOfPlace = (reason: string | null | undefined): boolean =>
  reason === 'not_yours' || reason === 'not_found'

const done: Partial<Record<HeldType, string>> = {
  photo: 'took photos at',
  finish: 'finished',
  start: 'started',
  skip: 'skipped',
  collect: 'took money at',
  treat: 'recorded an application at',
  overgrown: 'found an overgrown lawn at',
  sell: 'sold extra work at',
  mark: 'drew on a photo of',
}

const because: Record<string, string> = {
  canceled: 'the office had canceled it',
  missed: 'it was marked as missed',
  unscheduled: 'the office had taken it off the calendar',
  skipped: 'it was already skipped',
  begun: 'somebody had begun it',
  rebooked: 'it already has another day',
  billed: 'it is on an invoice',
  collect_off: 'may not take payments at the door',
  not_yours: 'the stop is with another crew',
  no_license: 'nobody named has a valid license for it',
  bad_record: 'something in the record does not fit',
  not_found: 'the visit was deleted',
  failed: 'something went wrong on our side when it came in',
}

/**
 * What a conflict is about. Of one visit the work is decided as one and a skip as one; every sum, every treatment and every extra is decided by itself.
 * What was reported of a deleted visit is `gone`.
 */
export const conflictKinds = ['work', 'skip', 'collect', 'treat', 'extra', 'gone', 'goneMoney', 'goneSale'] as const
export type ConflictKind = (typeof conflictKinds)[number]
export const conflictKindOf = (type: HeldType, isGone = false): ConflictKind => {
  if (isGone) return type === 'collect' ? 'goneMoney' : type === 'sell' ? 'goneSale' : 'gone'
  if (type === 'collect' || type === 'treat') return type
  if (type === 'photo') return 'work'
  if (isExtraCommand(type)) return 'extra'
  return type === 'skip' || type === 'undo_skip' ? 'skip' : 'work'
}

/** A conflict as the office reads it: "Luis finished 7 Bay St, but the office had canceled it". */
export const conflictTitle = (one: { name: string; type: HeldType; street: string | null; reason: string }): string =>
  `${one.name} ${done[one.type] ?? 'worked on'} ${one.street ?? 'a visit'}, but ${because[one.reason] ?? 'it had changed'}`
