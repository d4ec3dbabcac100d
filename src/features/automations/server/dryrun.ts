import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { quietAtHome } from '../../messages/zones/rules.ts'
import { homesOf } from '../../messages/zones/server/queries.ts'
import type { DryRun } from '../contract.ts'
import { kinds } from '../kinds/rules.ts'
import { countReasons, dryRunDays, judge, mostNamed, type Sent, segmentsOf } from '../rules.ts'
import { listBegun } from './facts.ts'
import { readJudgeFacts } from './judging.ts'
import { type AutomationRow, getAutomationRow } from './rows.ts'
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

/** Until when quiet hours of each customer hold a text of this kind. */
const quietOf = async (db: TenantDb, { kind }: AutomationRow, customerIds: readonly string[]) => {
  const homes = await homesOf(db, customerIds)
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'quietStartMinute', 'quietEndMinute'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const quiet = { startMinute: business.quietStartMinute, endMinute: business.quietEndMinute }
  const purpose = kinds[kind].isOffer ? 'marketing' : 'transactional'
  return (customerId: string, dueAt: string): string | null =>
    quietAtHome(purpose, new Date(dueAt), homes.get(customerId) ?? [], business.timeZone, quiet)
}

/**
 * Who would have got it in the last 30 days: what was due then by the selection that live messages take, judged one after the other by the same
 * rules and written by the same composer, with what each of them would have added to the caps. Consent, switches, addresses and what is owed are
 * as they are now.
 */
export const dryRun = async (db: TenantDb, actor: Actor, id: string): Promise<DryRun> => {
  const automation = await getAutomationRow(db, id)
  const span = { from: new Date(clock.nowMs() - dryRunDays * dayMs).toISOString(), to: clock.iso() }
  const newest = await listBegun(db, automation, span, {
    fresh: false,
    past: true,
    limit: mostNamed + 1,
    newestFirst: true,
  })
  const begun = newest.slice(0, mostNamed).reverse()
  const customerIds = begun.map(({ customerId }) => customerId)
  const factsOf = await readJudgeFacts(db, automation, customerIds, Date.parse(span.from))
  const names = await listNames(db, customerIds)
  const quietUntil = await quietOf(db, automation, customerIds)
  const hidesMoney = !hasPermission(actor, 'money')
  const fromMs = Date.parse(span.from)
  const would = new Map<string, Sent[]>()
  const sent: DryRun['sent'] = []
  const notSent: DryRun['notSent'] = []
  let segments = 0
  for (const one of begun) {
    const { customerId, subjectId, propertyId, dueAt } = one
    const customer = { id: customerId, name: names.get(customerId) ?? '' }
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
      notSent.push({ customer, reason: reason ?? '' })
      continue
    }
    const { channel, address } = judged
    would.set(customerId, [...own, { automationId: id, subjectId, propertyId, atMs: Date.parse(dueAt), channel }])
    // a mail is shown without what stands around it
    const text =
      channel === 'email' ? draft.text : (await composed(db, automation, draft, { channel, address, customerId })).text
    if (channel === 'sms') segments += segmentsOf(text)
    const until = channel === 'sms' ? quietUntil(customerId, dueAt) : null
    sent.push({ customer, channel, leavesAt: until ?? dueAt, text })
  }
  return {
    ...span,
    tooMany: newest.length > mostNamed,
    sent: sent.reverse(),
    texts: sent.filter(({ channel }) => channel === 'sms').length,
    segments,
    notSent: notSent.reverse(),
    reasons: countReasons(notSent.map(({ reason }) => reason)),
  }
}
