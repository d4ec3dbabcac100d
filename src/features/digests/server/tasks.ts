import type { SystemActor } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEach, forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { brand } from '../../../shared/brand.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import { takeNewsTx } from '../../notifications/choices/server/commands.ts'
import { hourOf, listDigestsDue } from '../../notifications/choices/server/queries.ts'
import { digestMail, mostInDigest } from './templates.ts'

const sendOne = (actor: SystemActor, userId: string): Promise<void> =>
  withTenant(actor, async (db) => {
    const { news, more } = await takeNewsTx(db, userId, mostInDigest)
    if (news.length === 0) return
    const person = await db
      .selectFrom('users')
      .innerJoin('businesses', 'businesses.businessId', 'users.businessId')
      .where('users.businessId', '=', db.businessId)
      .where('users.id', '=', userId)
      .select(['users.name', 'users.email', 'businesses.name as business'])
      .executeTakeFirstOrThrow()
    if (!person.email) return
    const { today } = await hourOf(db)
    await queueMessage(db, {
      channel: 'email',
      purpose: 'account',
      fromName: brand.name,
      address: person.email,
      userId,
      dedupeKey: `digest:${userId}:${today}`,
      ...digestMail(person, { news, more }, await timeZoneOf(db)),
    })
  })

/** Mails the digests of a business whose hour has come; one that fails holds no other back. */
export const sendDigests = async (actor: SystemActor): Promise<void> =>
  forEach(
    'digests of news',
    await withTenant(actor, listDigestsDue),
    (userId) => ({ userId }),
    (userId) => sendOne(actor, userId),
  )

/** Looks a few minutes after each hour, and again at half past for what a restart left. */
export const sendAllDigests: GlobalTask = {
  name: 'notifications.digests',
  run: () => forEachOpenBusiness('digests of news', sendDigests),
}

export const sendAllDigestsSchedule: Schedule = { task: sendAllDigests.name, match: '2,32 * * * *', onlyLatest: true }
