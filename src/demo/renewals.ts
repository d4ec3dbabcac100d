import { sql } from 'kysely'
import { bookRenewal } from '../features/quotes/renewals/server/booking.ts'
import { createRun, sendRun } from '../features/quotes/renewals/server/commands.ts'
import { getRun, listRenewals } from '../features/quotes/renewals/server/queries.ts'
import { continueRun } from '../features/quotes/renewals/server/steps.ts'
import { firstChoice } from '../features/quotes/rules.ts'
import { declineQuote } from '../features/quotes/server/commands.ts'
import { getQuote } from '../features/quotes/server/queries.ts'
import { approveQuote } from '../features/quotes/signing/server/commands.ts'
import { askForChanges, seeQuote } from '../features/quotes/viewer/server/commands.ts'
import { type Actor, systemActor } from '../platform/actor.ts'
import { clock } from '../platform/clock.ts'
import { withTenant } from '../platform/db/tenant.ts'
import { directly } from '../platform/http/idempotency.ts'
import { addDays, dayOf } from '../shared/dates.ts'
import { keepQuiet } from './quotes.ts'

type Answer = 'yes' | 'no' | 'changes' | 'seen' | 'nothing'

const message =
  'Thank you for the past season. Here is what we would do next season, with its prices. We look forward to taking care of your lawn again.'

const answer = async (owner: Actor, quoteId: string, how: Answer): Promise<void> => {
  const quote = await withTenant(owner, (db) => getQuote(db, owner, quoteId))
  const revision = () =>
    withTenant(owner, (db) =>
      db
        .selectFrom('quoteRevisions')
        .select('id')
        .where('businessId', '=', db.businessId)
        .where('quoteId', '=', quoteId)
        .executeTakeFirstOrThrow(),
    )
  if (how === 'yes') {
    const body = { signer: quote.customer.name, note: 'Said yes on the phone', version: quote.version }
    await approveQuote(owner, quoteId, { ...body, choice: firstChoice(quote.content) }, directly)
    await bookRenewal.run(systemActor(owner.businessId), { quoteId })
  }
  if (how === 'no') await declineQuote(owner, quoteId, { reason: 'price', note: '', version: quote.version })
  if (how === 'seen') await seeQuote(owner.businessId, (await revision()).id)
  if (how === 'changes')
    await askForChanges(owner.businessId, (await revision()).id, 'Could you leave out the round in summer?')
}

const renew = async (
  owner: Actor,
  name: string,
  filter: { work: 'programs' | 'recurring'; tags: string[] },
  { startsOn, answers }: { startsOn: string; answers: readonly Answer[] },
): Promise<string> => {
  const today = dayOf(clock.now(), owner.timeZone)
  const { id } = await createRun(owner, {
    name,
    filter: { programIds: [], serviceIds: [], endsBy: null, ...filter },
    startsOn,
    endsOn: filter.work === 'programs' ? null : addDays(startsOn, 240),
    answerBy: addDays(today, 21),
    raise: { kind: 'percent', value: 500, roundTo: 100 },
    prepayPercent: 500,
    mode: 'ask',
    message,
    terms: '',
    byMail: true,
    byText: false,
  })
  const step = () => continueRun.run(systemActor(owner.businessId), { runId: id })
  await step()
  const run = await withTenant(owner, (db) => getRun(db, owner, id))
  if (run.counts.open === 0) return id
  await sendRun(owner, id, { version: run.version, expected: { count: run.counts.open, afterCents: run.afterCents } })
  await step()
  const { items } = await withTenant(owner, (db) => listRenewals(db, id, { limit: 100 }))
  for (const [at, { quote }] of items.entries())
    if (quote) await answer(owner, quote.id, answers[at % answers.length] ?? 'nothing')
  return id
}

/** Last season's renewal with every answer in it, and one that customers are answering now. */
export const renewSeasons = async (owner: Actor): Promise<void> => {
  const today = dayOf(clock.now(), owner.timeZone)
  const past = await renew(
    owner,
    `Commercial season ${today.slice(0, 4)}`,
    { work: 'recurring', tags: ['commercial'] },
    { startsOn: addDays(today, 75), answers: ['yes', 'yes', 'no', 'yes'] },
  )
  await withTenant(owner, (db) =>
    sql`update renewal_runs set created_at = created_at - interval '40 days', sent_at = sent_at - interval '38 days', answer_by = ${addDays(today, -12)}
      where business_id = ${db.businessId} and id = ${past}`.execute(db),
  )
  await renew(
    owner,
    'Lawn programs, next season',
    { work: 'programs', tags: [] },
    { startsOn: addDays(today, 120), answers: ['yes', 'seen', 'nothing', 'changes', 'nothing', 'no'] },
  )
  await keepQuiet(owner)
}
