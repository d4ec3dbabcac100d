import { z } from 'zod'
import { isDay } from '../../../shared/dates.ts'
import { endpoint } from '../../../shared/endpoint.ts'
import { formatCents } from '../../../shared/money.ts'
import { mostLetterLines } from '../../jobs/letters/rules.ts'
import { PriceChange } from '../../jobs/prices/contract.ts'
import { lawnPeriods, leftReasons, mostPriceCents, usualLawnPeriod } from './rules.ts'

const Day = z.string().refine(isDay, 'Use a day like 2026-06-12.')
const Cents = z.number().int()
const Count = z.number().int()

const lawn = {
  lineId: z.uuid(),
  jobId: z.uuid(),
  jobNumber: Count,
  customerId: z.uuid(),
  customerName: z.string(),
  propertyId: z.uuid(),
  street: z.string(),
  serviceName: z.string(),
  completions: Count,
  /** Labor minutes of a visit with the drive, on average. */
  laborMinutes: Count,
  quantity: z.number(),
  /** Of a unit, as it holds or is to hold. */
  unitPriceCents: Cents,
  /** What a labor hour brings in at that price. */
  earnedCents: Cents,
}

const LowLawn = z.object({
  ...lawn,
  /** The price of a unit that reaches the target. */
  suggestedCents: Cents,
  /** What that would bring in a month in season. */
  monthCents: Cents,
})
export type LowLawn = z.output<typeof LowLawn>

const LeftLawn = z.object({ ...lawn, reason: z.enum(leftReasons), why: z.string() })

const Letter = PriceChange.extend({
  /** Letters to print, because nothing else told these customers, by name with why. */
  paper: z.array(z.object({ customerId: z.uuid(), name: z.string(), why: z.string() })),
  /** Letters that were printed, when the last of them, and by whom. */
  printedCount: Count,
  printedAt: z.string().nullable(),
  printedByName: z.string().nullable(),
})
export type SentLetter = z.output<typeof Letter>

const LowLawns = z.object({
  from: z.string(),
  to: z.string(),
  targetLaborHourCents: Cents,
  noticeDays: Count,
  /** The first day that a letter may be about. */
  earliestOn: Day,
  /** The first 200, what loses the most in a month first. */
  items: z.array(LowLawn),
  count: Count,
  /** At so many properties. */
  properties: Count,
  /** What earns less as well and gets no letter, with why; the first 100. */
  left: z.array(LeftLawn),
  leftCount: Count,
  /** Lines of jobs of which enough is known to say. */
  told: Count,
  /** The last letters, the newest first. */
  letters: z.array(Letter),
})
export type LowLawns = z.output<typeof LowLawns>

const lines = z
  .array(
    z.object({
      lineId: z.uuid(),
      toCents: z
        .number()
        .int()
        .min(1, 'Type a price.')
        .max(mostPriceCents, `At most ${formatCents(mostPriceCents)}.`),
    }),
  )
  .min(1, 'Choose at least one lawn.')
  .max(mostLetterLines, `At most ${mostLetterLines} at a time.`)

const Preview = z.object({
  letters: z.array(
    z.object({
      customerId: z.uuid(),
      customerName: z.string(),
      language: z.enum(['en', 'es']),
      channel: z.enum(['sms', 'email']).nullable(),
      reason: z.string().nullable(),
      /** Quiet hours hold it until then. */
      quietUntil: z.string().nullable(),
      text: z.string(),
    }),
  ),
  visits: Count,
  /** Visits with a price set by hand, which they keep. */
  ownVisits: Count,
  visitsBeforeCents: Cents,
  visitsAfterCents: Cents,
  /** A month in season. */
  beforeCents: Cents,
  afterCents: Cents,
  /** Customers whom a text or a mail reaches. */
  reached: Count,
  /** Sent back with the letters: other ones than these do not leave. */
  seal: z.string(),
})
export type LetterPreview = z.output<typeof Preview>

const reads = { access: 'office', permission: 'money' } as const

export const lawnsApi = {
  list: endpoint({
    ...reads,
    needsSubscription: true,
    method: 'GET',
    path: '/api/price-letters',
    query: z.object({
      period: z.enum(lawnPeriods).default(usualLawnPeriod),
      /** Lawns of this property alone. */
      propertyId: z.uuid().optional(),
    }),
    response: LowLawns,
    summary:
      'Lawns that earn less than the target for a labor hour at the price of now, what would do, and the last letters',
  }),
  preview: endpoint({
    ...reads,
    method: 'POST',
    path: '/api/price-letters/preview',
    body: z.object({ fromOn: Day, lines }),
    response: Preview,
    summary: 'Each letter as its customer would read it, by which way, and what it brings; writes nothing',
  }),
  send: endpoint({
    ...reads,
    needsSubscription: true,
    idempotent: true,
    method: 'POST',
    path: '/api/price-letters',
    body: z.object({
      fromOn: Day,
      lines,
      seal: z.string().min(1, 'Read the letters first.').max(100, 'Read the letters first.'),
    }),
    response: PriceChange,
    summary: 'Raise these prices from a day on and tell each customer once; undone as every change of prices',
  }),
  paper: endpoint({
    ...reads,
    method: 'GET',
    path: '/api/price-letters/:id/letters.pdf',
    params: z.object({ id: z.uuid() }),
    query: z.object({ again: z.stringbool().default(false) }),
    response: z.unknown(),
    summary: 'Letters to print for those whom nothing else told, again with those that were printed already',
  }),
  printed: endpoint({
    ...reads,
    needsSubscription: true,
    idempotent: true,
    method: 'POST',
    path: '/api/price-letters/:id/printed',
    params: z.object({ id: z.uuid() }),
    body: z.object({ customerIds: z.array(z.uuid()).min(1).max(mostLetterLines) }),
    response: z.object({ printed: Count }),
    summary: 'Note which letters were printed, so that nobody prints them a second time',
  }),
}
