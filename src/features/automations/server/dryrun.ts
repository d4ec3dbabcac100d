import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { AppError } from '../../../shared/errors.ts'
import { foreseeInvoiceReminders } from '../../invoices/foresight/server/queries.ts'
import type { Foreseen } from '../../messages/foreseen/rules.ts'
import type { Purpose } from '../../messages/rules.ts'
import { quietAtHome } from '../../messages/zones/rules.ts'
import { homesOf } from '../../messages/zones/server/queries.ts'
import { foreseeReminders } from '../../notices/foresight/server/queries.ts'
import { foreseeAsks } from '../../reviews/foresight/server/queries.ts'
import type { DryRun } from '../contract.ts'
import { kinds } from '../kinds/rules.ts'
import { type ForeseenKey, tellsMoney } from '../others/rules.ts'
import { countReasons, dryRunDays, judge, mostNamed, mostVisits, type Sent, segmentsOf } from '../rules.ts'
import { listBegun, type Span } from './facts.ts'
import { readJudgeFacts } from './judging.ts'
import { getAutomationRow } from './rows.ts'
import { composed, draftOf } from './words.ts'

const dayMs = 86_400_000

const listNames = async (db: TenantDb, ids: readonly string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('customers')
    .select(['id', 'name'])
    .where('businessId', '=', db.businessId)
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Until when quiet hours of each customer hold a text. */
const quietOf = async (db: TenantDb, purpose: Purpose, customerIds: readonly string[]) => {
  const homes = await homesOf(db, customerIds)
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'quietStartMinute', 'quietEndMinute'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const quiet = { startMinute: business.quietStartMinute, endMinute: business.quietEndMinute }
  return (customerId: string, dueAt: string): string | null =>
    quietAtHome(purpose, new Date(dueAt), homes.get(customerId) ?? [], business.timeZone, quiet)
}

/** Everything that was counted, with the newest by name. */
const told = async (
  db: TenantDb,
  span: Span,
  purpose: Purpose,
  { sent, notSent, tooMany, assumes }: Foreseen,
): Promise<DryRun> => {
  const [named, unnamed] = [sent.slice(0, mostNamed), notSent.slice(0, mostNamed)]
  const ids = [...named, ...unnamed].map(({ customerId }) => customerId)
  const names = await listNames(db, ids)
  const quietUntil = await quietOf(db, purpose, [...new Set(ids)])
  const customerOf = (id: string) => ({ id, name: names.get(id) ?? '' })
  const texts = sent.filter(({ channel }) => channel === 'sms')
  return {
    ...span,
    tooMany,
    assumes,
    texts: texts.length,
    mails: sent.length - texts.length,
    segments: texts.reduce((sum, { segments }) => sum + segments, 0),
    sent: named.map(({ customerId, dueAt, channel, subject, text }) => ({
      customer: customerOf(customerId),
      channel,
      leavesAt: (channel === 'sms' ? quietUntil(customerId, dueAt) : null) ?? dueAt,
      subject,
      text,
    })),
    notSentCount: notSent.length,
    notSent: unnamed.map(({ customerId, reason }) => ({ customer: customerOf(customerId), reason })),
    reasons: countReasons(notSent.map(({ reason }) => reason)),
  }
}

const lastMonth = (): Span => ({
  from: new Date(clock.nowMs() - dryRunDays * dayMs).toISOString(),
  to: clock.iso(),
})

const foresees: Record<ForeseenKey, { purpose: Purpose; foresee: typeof foreseeReminders }> = {
  reminder: { purpose: 'transactional', foresee: foreseeReminders },
  invoice_reminder: { purpose: 'transactional', foresee: foreseeInvoiceReminders },
  review: { purpose: 'marketing', foresee: foreseeAsks },
}

/**
 * What another part of the product would have sent in the last 30 days, by its own rules.
 * @throws forbidden where it tells who owes what, for who may not see that
 */
export const dryRunOther = async (db: TenantDb, actor: Actor, key: ForeseenKey): Promise<DryRun> => {
  if (tellsMoney(key) && !hasPermission(actor, 'money'))
    throw new AppError(
      'forbidden',
      'This names who owes what, and your permissions do not include money. Ask the owner of your business if you need it.',
      { details: { because: 'role' } },
    )
  const span = lastMonth()
  const { purpose, foresee } = foresees[key]
  return told(db, span, purpose, await foresee(db, { ...span, most: mostVisits }))
}

/**
 * Who would have got it in the last 30 days: what was due then by the selection that live messages take, judged one after the other by the same
 * rules and written by the same composer, with what each of them would have added to the caps. Consent, switches, addresses and what is owed are
 * as they are now.
 */
export const dryRun = async (db: TenantDb, actor: Actor, id: string): Promise<DryRun> => {
  const automation = await getAutomationRow(db, id)
  const span = lastMonth()
  const newest = await listBegun(db, automation, span, {
    fresh: false,
    past: true,
    limit: mostNamed + 1,
    newestFirst: true,
  })
  const begun = newest.slice(0, mostNamed).reverse()
  const customerIds = begun.map(({ customerId }) => customerId)
  const factsOf = await readJudgeFacts(db, automation, customerIds, Date.parse(span.from))
  const hidesMoney = !hasPermission(actor, 'money')
  const fromMs = Date.parse(span.from)
  const would = new Map<string, Sent[]>()
  const sent: Foreseen['sent'] = []
  const notSent: Foreseen['notSent'] = []
  for (const one of begun) {
    const { customerId, subjectId, propertyId, dueAt } = one
    const facts = factsOf(customerId)
    const own = would.get(customerId) ?? []
    const judged = judge(
      automation,
      one,
      {
        ...facts,
        // what it really sent in this time is what is asked again here; what it sent before counts
        sent: [...facts.sent.filter(({ automationId, atMs }) => automationId !== id || atMs <= fromMs), ...own],
        // what the plan has left today says nothing of last month
        segmentsLeft: null,
      },
      Date.parse(dueAt),
    )
    const draft =
      judged.channel === null
        ? null
        : await draftOf(db, automation, { customerId, subjectId }, { hidesMoney, at: dueAt })
    const reason = judged.reason ?? draft?.problem ?? null
    if (judged.channel === null || draft === null || reason !== null) {
      notSent.push({ customerId, dueAt, reason: reason ?? '' })
      continue
    }
    const { channel, address } = judged
    would.set(customerId, [...own, { automationId: id, subjectId, propertyId, atMs: Date.parse(dueAt), channel }])
    // a mail is shown without what stands around it
    const text =
      channel === 'email' ? draft.text : (await composed(db, automation, draft, { channel, address, customerId })).text
    sent.push({
      customerId,
      dueAt,
      channel,
      subject: channel === 'email' ? draft.subject : null,
      text,
      segments: channel === 'sms' ? segmentsOf(text) : 0,
    })
  }
  return told(db, span, kinds[automation.kind].isOffer ? 'marketing' : 'transactional', {
    sent: sent.reverse(),
    notSent: notSent.reverse(),
    tooMany: newest.length > mostNamed,
    assumes: null,
  })
}
