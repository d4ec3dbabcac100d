import type { z } from 'zod'
import { type Actor, userIdOf, type Who } from '../../../platform/actor.ts'
import { audit } from '../../../platform/audit.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { requireVersion } from '../../../platform/db/version.ts'
import { refuse } from '../../../shared/can.ts'
import { conflict } from '../../../shared/errors.ts'
import type { LineDraft } from '../../jobs/contract.ts'
import { findProgramJob } from '../../jobs/programs/server/queries.ts'
import { renewSeasonTx } from '../../jobs/seasons/server/commands.ts'
import { createJobTx } from '../../jobs/server/commands.ts'
import { keepForQuoteTx } from '../../payments/credits/server/commands.ts'
import type { Frequency } from '../../services/rules.ts'
import { billedRefusal } from '../billing/rules.ts'
import { findQuoteInvoice, lockNotesOfQuoteTx } from '../billing/server/queries.ts'
import type { QuoteRecord, quotesApi } from '../contract.ts'
import { findRenewalOfQuote, type Renewal } from '../renewals/server/rows.ts'
import { type Choice, isChosen, type QuoteLine, quoteName, quoteRefusals, quoteTitle, quoteTotals } from '../rules.ts'
import { findRevision, getQuote } from './queries.ts'
import { type LockedQuote, lockQuoteTx, noteTx, setQuoteTx } from './rows.ts'

const rhythm = {
  weekly: { freq: 'week', interval: 1 },
  biweekly: { freq: 'week', interval: 2 },
  monthly: { freq: 'month', interval: 1 },
} as const

const recurrenceOf = (frequency: Exclude<Frequency, 'once'>, startOn: string) => ({
  ...rhythm[frequency],
  weekdays: [],
  phaseOn: startOn,
  holiday: 'next' as const,
  exceptions: [],
})

const titleOf = (programs: ReadonlyMap<string, { name: string }>, round: QuoteLine['round'], title: string): string =>
  round ? (programs.get(round.programId)?.name ?? title) : title

/** What a line of a quote is on a job: the price of one visit as it was signed, less its discount. */
const jobLine = (line: QuoteLine, price: { unitCents: number; totalCents: number }, startOn: string): LineDraft => {
  const once = line.frequency === 'once'
  // a discount in dollars does not divide by the quantity: what is done once is one line over what was signed
  const isWhole = once && price.totalCents !== Math.round(line.quantity * price.unitCents)
  const named = line.quantity !== 1 && isWhole ? `${line.quantity} × ${line.name}` : line.name
  return {
    serviceId: line.serviceId,
    description: [named, line.description].filter(Boolean).join(': ').slice(0, 500),
    quantity: isWhole ? 1 : line.quantity,
    unitPriceCents: isWhole ? price.totalCents : price.unitCents,
    budgetMinutes: line.minutes,
    recurrence: line.frequency === 'once' ? null : recurrenceOf(line.frequency, startOn),
    onceOn: once && !line.round ? startOn : null,
    undated: line.round
      ? {
          kind: 'step' as const,
          name: line.name,
          opensOn: line.round.opensOn,
          closesOn: line.round.closesOn,
          minGapDays: line.round.minGapDays,
        }
      : null,
    movesPhase: false,
  }
}

const listPrograms = async (db: TenantDb, ids: readonly string[]) => {
  if (ids.length === 0) return new Map<string, { name: string; renews: boolean }>()
  const rows = await db
    .selectFrom('programs')
    .select(['id', 'name', 'renews'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

type Booking = Pick<z.output<(typeof quotesApi)['convert']['body']>, 'startOn' | 'crewId' | 'instructions'>

/** The next season of a job, as its customer agreed to it; lines that the office added meanwhile go along. */
const renewTx = async (
  db: TenantDb,
  who: Who,
  { quoteId, ...renewal }: Renewal & { quoteId: string },
  lines: readonly { line: QuoteLine; draft: LineDraft }[],
  { crewId, instructions }: Booking,
): Promise<string> => {
  const of = (line: QuoteLine) => renewal.lines.find(({ id }) => id === line.id)
  return renewSeasonTx(db, who, renewal.jobId, {
    title: renewal.jobTitle,
    lines: lines.flatMap(({ line, draft }) => {
      const own = of(line)
      if (!own) return []
      return [
        {
          jobLineId: own.jobLineId,
          serviceId: line.serviceId,
          description: (own.round ? line.name : line.description).slice(0, 500),
          quantity: draft.quantity,
          unitPriceCents: draft.unitPriceCents ?? 0,
          budgetMinutes: line.minutes,
          round: own.round,
          name: line.name,
        },
      ]
    }),
    added: lines.flatMap(({ line, draft }) => (of(line) ? [] : [draft])),
    startsOn: renewal.startsOn,
    endsOn: renewal.endsOn,
    ...(crewId ? { crewId } : {}),
    ...(instructions ? { instructions } : {}),
    renews: renewal.renewedBefore,
    quoteId,
  })
}

/** What comes back and what is done once is one job, the rounds of each program another. @returns the jobs */
const bookTx = async (
  db: TenantDb,
  who: Who,
  quote: Pick<LockedQuote, 'id' | 'propertyId' | 'title' | 'content'>,
  chosen: readonly { line: QuoteLine; draft: LineDraft }[],
  { startOn, crewId, instructions }: Booking,
): Promise<string[]> => {
  const groups = Map.groupBy(chosen, ({ line: { round } }) => (round ? `${round.programId}:${round.year}` : ''))
  const programs = await listPrograms(
    db,
    [...groups.values()].flatMap(([first]) => first?.line.round?.programId ?? []),
  )
  // what was offered and not taken is no work of the crew
  const isTitleMade = quote.title === quoteTitle(quote.content.lines)
  const jobIds: string[] = []
  for (const [, lines] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const round = lines[0]?.line.round ?? null
    const program = round ? programs.get(round.programId) : undefined
    if (round && program) {
      const there = await findProgramJob(db, { ...round, propertyId: quote.propertyId })
      refuse(
        there
          ? `${program.name} runs at this property in ${round.year} already: job J-${there.number}. Nothing was changed.`
          : null,
      )
    }
    jobIds.push(
      await createJobTx(
        db,
        who,
        {
          propertyId: quote.propertyId,
          title: titleOf(programs, round, isTitleMade ? quoteTitle(lines.map(({ line }) => line)) : quote.title),
          instructions,
          poNumber: '',
          billing: 'per_visit',
          crewId,
          startOn,
          endOn: null,
          lines: lines.map(({ draft }) => draft),
          draft: false,
          includePast: false,
          pastDone: false,
        },
        {
          ...(round && program
            ? { programId: round.programId, programYear: round.year, programRenews: program.renews }
            : {}),
          quoteId: quote.id,
        },
      ),
    )
  }
  return jobIds
}

/**
 * Makes an approved, locked quote jobs, once, or the next season of the job that it renews. They cost what was signed; the deposit pays
 * the invoices of all of them.
 * @throws state_conflict
 */
export const convertQuoteTx = async (db: TenantDb, who: Who, quote: LockedQuote, body: Booking): Promise<void> => {
  const { id } = quote
  refuse(quoteRefusals.convert(quote))
  // what was credited stays so until the work is a job
  await lockNotesOfQuoteTx(db, id)
  const billed = billedRefusal(quote.number, await findQuoteInvoice(db, id))
  if (billed) throw conflict(billed)
  const sent = await findRevision(db, id)
  if (!sent) throw conflict('This quote was never sent. Nothing was changed.')
  const { content } = sent
  const choice = quote.choice as unknown as Choice
  const prices = new Map(quoteTotals(content, choice, content.tax).lines.map((line) => [line.id, line]))
  const chosen = content.lines.flatMap((line) => {
    const price = prices.get(line.id)
    return isChosen(line, choice) && price ? [{ line, draft: jobLine(line, price, body.startOn) }] : []
  })
  const renewal = await findRenewalOfQuote(db, id)
  const jobIds = renewal
    ? [await renewTx(db, who, { ...renewal, quoteId: id }, chosen, body)]
    : await bookTx(db, who, quote, chosen, body)
  const [first] = jobIds
  if (!first) throw conflict('Nothing of this quote was chosen. Nothing was changed.')
  await keepForQuoteTx(db, id)
  await setQuoteTx(db, quote, { status: 'converted', convertedAt: clock.iso(), jobId: first, followOn: null })
  await noteTx(db, quote, 'converted', { userId: userIdOf(who) })
  await audit(db, who, 'quote.convert', { type: 'quote', id }, { after: { jobIds, startOn: body.startOn } })
}

export const convertQuote = (
  actor: Actor,
  id: string,
  { version, ...body }: z.output<(typeof quotesApi)['convert']['body']>,
): Promise<QuoteRecord> =>
  withTenant(actor, async (db) => {
    const quote = await lockQuoteTx(db, id)
    refuse(quoteRefusals.convert(quote))
    requireVersion(quote, version, quoteName(quote.number))
    await convertQuoteTx(db, actor, quote, body)
    return getQuote(db, actor, id)
  })
