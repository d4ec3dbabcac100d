import { z } from 'zod'
import type { SystemActor } from '../../../../platform/actor.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEach } from '../../../../platform/tasks/walk.ts'
import type { Day } from '../../../../shared/dates.ts'
import { plainText } from '../../../messages/rules.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { reachOf } from '../../../messages/server/reach/queries.ts'
import { letterMail, letterText, type Told } from '../../letters/server/templates.ts'
import { languageOf, payersOf, recallMinutes } from './queries.ts'
import { priceLetter, priceNotice } from './templates.ts'

/** What customers hear of a change of prices: after it, page by page, so that a change of a thousand prices is one of prices only. */

export const entityOf = (id: string) => ({ type: 'price_change', id })

/** So many customers are told in one transaction. */
const pageSize = 50

/** The change while it holds, kept from being taken back until the transaction ends. */
const standingChange = (db: TenantDb, id: string) =>
  db
    .selectFrom('priceChanges')
    .select(['kind', 'fromOn', 'createdAt', 'createdBy'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .where('undoneAt', 'is', null)
    .forShare()
    .executeTakeFirst()

const changedLines = (db: TenantDb, changeId: string) =>
  db
    .selectFrom('priceChangeLines as n')
    .innerJoin('jobLines as l', (x) => x.onRef('l.businessId', '=', 'n.businessId').onRef('l.id', '=', 'n.jobLineId'))
    .innerJoin('jobs as j', (x) => x.onRef('j.businessId', '=', 'l.businessId').onRef('j.id', '=', 'l.jobId'))
    .where('n.businessId', '=', db.businessId)
    .where('n.changeId', '=', changeId)

const customerIdsOf = async (db: TenantDb, changeId: string): Promise<string[]> =>
  (await changedLines(db, changeId).select('j.customerId').distinct().orderBy('j.customerId').execute()).map(
    (row) => row.customerId,
  )

type Line = { customerId: string; serviceName: string; street: string; beforeCents: number; afterCents: number }
type From = { name: string; brandColor?: string | undefined; phone: string | null }

const noticeWords = (from: From, text: string, language: 'en' | 'es') => ({
  text,
  mail: priceLetter(from, text, language),
})
const letterWords = (from: From, told: Told, language: 'en' | 'es') => ({
  text: letterText(from.name, told, language),
  mail: letterMail(from, told, language),
})

const linesOf = (db: TenantDb, changeId: string, customerIds: readonly string[]): Promise<Line[]> =>
  changedLines(db, changeId)
    .innerJoin('properties as p', (x) =>
      x.onRef('p.businessId', '=', 'j.businessId').onRef('p.id', '=', 'j.propertyId'),
    )
    .innerJoin('services as s', (x) => x.onRef('s.businessId', '=', 'l.businessId').onRef('s.id', '=', 'l.serviceId'))
    .where('j.customerId', 'in', [...customerIds])
    .select(['j.customerId', 's.name as serviceName', 'p.street', 'n.beforeCents', 'n.afterCents'])
    .orderBy('l.id')
    .execute()

const tellPage = (actor: SystemActor, changeId: string, customerIds: readonly string[]): Promise<void> =>
  withTenant(actor, async (db) => {
    const change = await standingChange(db, changeId)
    if (!change) return
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'brandColor', 'phone'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const customers = await db
      .selectFrom('customers')
      .select(['id', 'name', 'language'])
      .where('businessId', '=', db.businessId)
      .where('id', 'in', [...customerIds])
      .execute()
    const runAfter = new Date(Date.parse(change.createdAt) + recallMinutes * 60_000).toISOString()
    const reaches = await reachOf(db, await payersOf(db, customerIds), runAfter)
    const lines = Map.groupBy(await linesOf(db, changeId, customerIds), (line) => line.customerId)
    for (const customer of customers) {
      const reach = reaches.get(customer.id)
      if (!reach || reach.channel === null) continue
      const language = languageOf(customer)
      const own = lines.get(customer.id) ?? []
      const fromOn = change.fromOn as Day
      const words =
        change.kind === 'letter'
          ? letterWords(business, { name: customer.name, fromOn, lines: own }, language)
          : noticeWords(business, priceNotice(business.name, fromOn, own, language), language)
      await queueMessage(db, {
        channel: reach.channel,
        purpose: 'transactional',
        address: reach.address,
        dedupeKey: `price:${changeId}:${customer.id}`,
        ...(reach.channel === 'email' ? words.mail : { text: plainText(words.text) }),
        customerId: customer.id,
        userId: change.createdBy,
        entity: entityOf(changeId),
        runAfter,
      })
    }
  })

/** From here on a change says how many messages there are, not how many there were to be. */
const settleCount = (actor: SystemActor, changeId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    if (!(await standingChange(db, changeId))) return
    const { told } = await db
      .selectFrom('messages')
      .select((eb) => eb.fn.countAll<number>().as('told'))
      .where('businessId', '=', db.businessId)
      .where('entityType', '=', 'price_change')
      .where('entityId', '=', changeId)
      .where('direction', '=', 'outbound')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('priceChanges')
      .set({ toldCount: Number(told) })
      .where('businessId', '=', db.businessId)
      .where('id', '=', changeId)
      .execute()
  })

/** Puts the notices of a change of prices into the outbox; a customer who cannot be written to keeps nobody else from hearing of it. */
export const tellPricesTask = task({
  name: 'jobs.tellPrices',
  payload: z.object({ changeId: z.uuid() }),
  run: async (actor, { changeId }) => {
    const ids = await withTenant(actor, (db) => customerIdsOf(db, changeId))
    const pages = Array.from({ length: Math.ceil(ids.length / pageSize) }, (_, at) =>
      ids.slice(at * pageSize, (at + 1) * pageSize),
    )
    const what = 'telling customers of new prices'
    await forEach(
      what,
      pages,
      () => ({ changeId }),
      (page) =>
        tellPage(actor, changeId, page).catch(() =>
          forEach(
            what,
            page,
            (customerId) => ({ changeId, customerId }),
            (customerId) => tellPage(actor, changeId, [customerId]),
          ),
        ),
    )
    await settleCount(actor, changeId)
  },
})
