import { z } from 'zod'
import type { SystemActor } from '../../../../platform/actor.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { task } from '../../../../platform/tasks/task.ts'
import { forEach } from '../../../../platform/tasks/walk.ts'
import type { Day } from '../../../../shared/dates.ts'
import { todayOf } from '../../../businesses/server/queries.ts'
import { plainText } from '../../../messages/rules.ts'
import { queueMessage } from '../../../messages/server/commands.ts'
import { languageOf, recallMinutes } from './queries.ts'
import { standingLines, standingWork } from './standing.ts'
import { waysOf } from './ways.ts'
import { type Notice, noticeMail, noticeText } from './words.ts'

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

const customerIdsOf = async (db: TenantDb, changeId: string): Promise<string[]> =>
  (await standingLines(db, [changeId]).select('j.customerId').distinct().orderBy('j.customerId').execute()).map(
    (row) => row.customerId,
  )

const tellPage = (actor: SystemActor, changeId: string, customerIds: readonly string[]): Promise<void> =>
  withTenant(actor, async (db) => {
    const change = await standingChange(db, changeId)
    if (!change) return
    const business = await db
      .selectFrom('businesses')
      .select(['name', 'brandColor', 'phone'])
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const runAfter = new Date(Date.parse(change.createdAt) + recallMinutes * 60_000).toISOString()
    const lines = Map.groupBy(await standingWork(db, changeId, customerIds).execute(), (line) => line.customerId)
    const [fromOn, writtenOn] = [change.fromOn as Day, await todayOf(db)]
    const notices = new Map(
      [...lines].flatMap(([id, own]): [string, Notice][] =>
        own[0] ? [[id, { name: own[0].name, fromOn, writtenOn, lines: own, language: languageOf(own[0]) }]] : [],
      ),
    )
    const textOf = (id: string) => {
      const notice = notices.get(id)
      return notice ? noticeText(change.kind, business.name, notice) : ''
    }
    const ways = await waysOf(db, [...notices.keys()], textOf, runAfter, changeId)
    for (const [customerId, notice] of notices) {
      const way = ways.get(customerId)
      if (!way || way.channel === null) continue
      await queueMessage(db, {
        channel: way.channel,
        purpose: 'transactional',
        address: way.address,
        dedupeKey: `price:${changeId}:${customerId}`,
        ...(way.channel === 'email'
          ? noticeMail(change.kind, business, notice)
          : { text: plainText(textOf(customerId)) }),
        customerId,
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
      .set({ toldCount: Number(told), toldAt: clock.iso() })
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
