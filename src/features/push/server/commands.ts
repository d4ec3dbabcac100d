import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Actor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { config } from '../../../platform/config.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { countUse } from '../../../platform/http/rate-limit.ts'
import { newId } from '../../../platform/ids.ts'
import { encryptField } from '../../../platform/keys.ts'
import { findVapid, isPushService } from '../../../platform/push/web.ts'
import { enqueueAll, taskName } from '../../../platform/tasks/task.ts'
import { invalid } from '../../../shared/errors.ts'
import type { OwnPush, PushAbout, PushAddress, PushTopic } from '../contract.ts'
import { mostDevices, type PushLanguage, topicOf } from '../rules.ts'
import { getOwn, listDevices, listMutes } from './queries.ts'

export const sendPushTask = taskName({ name: 'push.send', payload: z.object({ sendId: z.uuid() }) })

const mostAMinute = 20

const addressOf = (address: PushAddress): { text: string; kept: object } =>
  address.kind === 'web'
    ? {
        text: address.endpoint,
        kept: { endpoint: address.endpoint, p256dh: address.p256dh, auth: address.auth },
      }
    : { text: address.token, kept: { token: address.token } }

const checkAddress = (address: PushAddress): void => {
  if (address.kind !== 'web') return
  if (!isPushService(address.endpoint))
    throw invalid([{ path: 'address', message: 'This browser uses a push service that we do not know.' }])
  if (!findVapid(config.push, address.keyId))
    throw invalid([{ path: 'address', message: 'Load the page again, then switch it on once more.' }])
}

/** Tells a device of mine too; the same again renews it, and one that was somebody else's here is mine from now on. */
export const addDevice = async (
  actor: Actor,
  { address, language }: { address: PushAddress; language: PushLanguage },
): Promise<OwnPush> => {
  checkAddress(address)
  await countUse(`push:${actor.businessId}:${actor.userId}`, mostAMinute, 60)
  return withTenant(actor, async (db) => {
    const { text, kept } = addressOf(address)
    const now = clock.iso()
    const { familyId } = await db
      .selectFrom('sessions')
      .select('familyId')
      .where('businessId', '=', db.businessId)
      .where('id', '=', actor.sessionId)
      .executeTakeFirstOrThrow()
    const device = {
      userId: actor.userId,
      familyId,
      kind: address.kind,
      address: encryptField(JSON.stringify(kept)),
      keyId: address.kind === 'web' ? address.keyId : null,
      language,
      seenAt: now,
    }
    await db
      .insertInto('pushDevices')
      .values({
        businessId: db.businessId,
        id: newId(),
        addressHash: createHash('sha256').update(text).digest('hex'),
        createdAt: now,
        ...device,
      })
      .onConflict((c) => c.columns(['businessId', 'addressHash']).doUpdateSet(device))
      .execute()
    const kepts = await db
      .selectFrom('pushDevices')
      .select('id')
      .where('businessId', '=', db.businessId)
      .where('userId', '=', actor.userId)
      .orderBy('seenAt', 'desc')
      .orderBy('id', 'desc')
      .limit(2 * mostDevices)
      .execute()
    const over = kepts.slice(mostDevices).map(({ id }) => id)
    if (over.length > 0)
      await db.deleteFrom('pushDevices').where('businessId', '=', db.businessId).where('id', 'in', over).execute()
    return getOwn(db, actor)
  })
}

/** Tells a device of mine nothing more; one that is not mine is left alone. */
export const removeDevice = (actor: Actor, hash: string): Promise<OwnPush> =>
  withTenant(actor, async (db) => {
    await db
      .deleteFrom('pushDevices')
      .where('businessId', '=', db.businessId)
      .where('userId', '=', actor.userId)
      .where('addressHash', '=', hash)
      .execute()
    return getOwn(db, actor)
  })

/** What one of my devices rings for, all of them do. */
export const chooseTopic = (actor: Actor, { topic, on }: { topic: PushTopic; on: boolean }): Promise<OwnPush> =>
  withTenant(actor, async (db) => {
    if (on)
      await db
        .deleteFrom('pushMutes')
        .where('businessId', '=', db.businessId)
        .where('userId', '=', actor.userId)
        .where('topic', '=', topic)
        .execute()
    else
      await db
        .insertInto('pushMutes')
        .values({ businessId: db.businessId, userId: actor.userId, topic, createdAt: clock.iso() })
        .onConflict((c) => c.columns(['businessId', 'userId', 'topic']).doNothing())
        .execute()
    return getOwn(db, actor)
  })

export type Push = {
  userId: string
  /** The same key tells a device once. */
  key: string
  about: PushAbout
  path: string | null
  /** What a later one of the same takes the place of on the screen; without one, nothing. */
  tag?: string
}

/** Tells people on their devices, in the transaction of what it is about; who has switched on none, or does not want this kind, is not rung. */
export const pushTx = async (db: TenantDb, pushes: readonly Push[]): Promise<void> => {
  if (pushes.length === 0) return
  const devices = await listDevices(db, [...new Set(pushes.map(({ userId }) => userId))])
  if (devices.length === 0) return
  const mutes = await listMutes(db, [...new Set(devices.map(({ userId }) => userId))])
  const isWanted = ({ userId, about }: Push): boolean =>
    !mutes.some((one) => one.userId === userId && one.topic === topicOf(about))
  const rows = pushes.filter(isWanted).flatMap((push) =>
    devices
      .filter(({ userId }) => userId === push.userId)
      .map(({ id }) => ({
        businessId: db.businessId,
        id: newId(),
        deviceId: id,
        noticeKey: push.key,
        about: JSON.stringify(push.about),
        path: push.path,
        tag: push.tag ?? push.key,
        createdAt: clock.iso(),
      })),
  )
  if (rows.length === 0) return
  const made = await db
    .insertInto('pushSends')
    .values(rows)
    .onConflict((c) => c.columns(['businessId', 'deviceId', 'noticeKey']).doNothing())
    .returning('id')
    .execute()
  await enqueueAll(
    db,
    sendPushTask,
    made.map(({ id }) => ({ payload: { sendId: id }, key: id })),
  )
}
