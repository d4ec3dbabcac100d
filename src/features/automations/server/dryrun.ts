import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import type { TenantDb } from '../../../platform/db/tenant.ts'
import { stopWords } from '../../messages/rules.ts'
import { quietAtHome } from '../../messages/zones/rules.ts'
import { homesOf } from '../../messages/zones/server/queries.ts'
import type { DryRun } from '../contract.ts'
import { kinds } from '../kinds/rules.ts'
import { countReasons, dryRunDays, judge, mostNamed, type Sent, segmentsOf } from '../rules.ts'
import { listBegun } from './facts.ts'
import { readJudgeFacts } from './judging.ts'
import { getAutomationRow } from './rows.ts'
import { draftOf } from './words.ts'

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

/**
 * Who would have got it in the last 30 days: what was due then by the selection that live messages take, judged one after the other by the same
 * rules, with what each of them would have added to the caps. Consent, switches and addresses are as they are now.
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
  const homes = await homesOf(db, customerIds)
  const business = await db
    .selectFrom('businesses')
    .select(['timeZone', 'quietStartMinute', 'quietEndMinute'])
    .where('businessId', '=', db.businessId)
    .executeTakeFirstOrThrow()
  const quiet = { startMinute: business.quietStartMinute, endMinute: business.quietEndMinute }
  const { isOffer } = kinds[automation.kind]
  const would = new Map<string, Sent[]>()
  const sent: DryRun['sent'] = []
  const notSent: DryRun['notSent'] = []
  let segments = 0
  for (const { customerId, subjectId, dueAt } of begun) {
    const customer = { id: customerId, name: names.get(customerId) ?? '' }
    const facts = factsOf(customerId)
    const own = would.get(customerId) ?? []
    const judged = judge(
      { ...automation, isOffer },
      {
        ...facts,
        // what it really sent in this time is what is asked again here
        sent: [...facts.sent.filter(({ automationId }) => automationId !== id), ...own],
        // what the plan has left today says nothing of last month
        segmentsLeft: null,
      },
      Date.parse(dueAt),
    )
    if (judged.channel === null) {
      notSent.push({ customer, reason: judged.reason })
      continue
    }
    const draft = await draftOf(
      db,
      automation,
      { customerId, subjectId },
      { hidesMoney: !hasPermission(actor, 'money') },
    )
    const { text } = draft
    would.set(customerId, [...own, { automationId: id, atMs: Date.parse(dueAt), channel: judged.channel }])
    const until =
      judged.channel === 'sms'
        ? quietAtHome(
            isOffer ? 'marketing' : 'transactional',
            new Date(dueAt),
            homes.get(customerId) ?? [],
            business.timeZone,
            quiet,
          )
        : null
    if (judged.channel === 'sms') segments += segmentsOf(isOffer ? `${text} ${stopWords[draft.language]}` : text)
    sent.push({ customer, channel: judged.channel, leavesAt: until ?? dueAt, text })
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
