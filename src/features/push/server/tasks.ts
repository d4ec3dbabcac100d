import type { SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../platform/db/tenant.ts'
import { decryptField } from '../../../platform/keys.ts'
import type { PushNote } from '../../../platform/push/note.ts'
import { type PushTarget, sendPush } from '../../../platform/push/sender.ts'
import { type Task, task } from '../../../platform/tasks/task.ts'
import { paths } from '../../../shared/paths.ts'
import { PushAbout } from '../contract.ts'
import { claimSeconds, freshHours, type PushLanguage, pushWords } from '../rules.ts'
import { sendPushTask } from './commands.ts'
import { findDevice } from './queries.ts'

type Claimed = { deviceId: string; target: PushTarget; note: PushNote }

const finish = (db: TenantDb, id: string, result: 'sent' | 'local' | 'refused' | 'stale', reason = '') =>
  db
    .updateTable('pushSends')
    .set({ doneAt: clock.iso(), result, reason: reason.slice(0, 300) })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()

const forget = (db: TenantDb, deviceId: string) =>
  db.deleteFrom('pushDevices').where('businessId', '=', db.businessId).where('id', '=', deviceId).execute()

/** A device that takes what it is told is there, even where nobody looks at its switch. */
const noteSeen = (db: TenantDb, deviceId: string) =>
  db
    .updateTable('pushDevices')
    .set({ seenAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', deviceId)
    .execute()

const isRead = async (db: TenantDb, userId: string, noticeKey: string): Promise<boolean> => {
  const row = await db
    .selectFrom('notifications')
    .select('readAt')
    .where('businessId', '=', db.businessId)
    .where('userId', '=', userId)
    .where('dedupeKey', '=', noticeKey)
    .executeTakeFirst()
  return row?.readAt != null
}

const targetOf = (device: { kind: string; address: string; keyId: string | null }): PushTarget => {
  const address = JSON.parse(decryptField(device.address))
  return device.kind === 'web'
    ? { kind: 'web', address, keyId: device.keyId ?? '' }
    : { kind: device.kind as 'android' | 'ios', address }
}

/** Takes one up for this process alone; null when nothing is left to do. @throws while another process has it */
const claim = async (db: TenantDb, id: string): Promise<Claimed | null> => {
  const send = await db
    .selectFrom('pushSends')
    .select(['deviceId', 'noticeKey', 'about', 'path', 'tag', 'createdAt', 'claimedAt', 'doneAt'])
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!send || send.doneAt) return null
  if (send.claimedAt && clock.nowMs() - Date.parse(send.claimedAt) < claimSeconds * 1000)
    throw new Error('This push is just being handed over.')
  const device = await findDevice(db, send.deviceId)
  if (!device) {
    await forget(db, send.deviceId)
    return null
  }
  const about = PushAbout.safeParse(send.about)
  const isOld = clock.nowMs() - Date.parse(send.createdAt) > freshHours * 3_600_000
  if (!about.success || isOld || (await isRead(db, device.userId, send.noticeKey))) {
    await finish(db, id, 'stale')
    return null
  }
  await db
    .updateTable('pushSends')
    .set({ claimedAt: clock.iso() })
    .where('businessId', '=', db.businessId)
    .where('id', '=', id)
    .execute()
  const words = pushWords(about.data, device.language as PushLanguage)
  return {
    deviceId: device.id,
    target: targetOf(device),
    note: { ...words, tag: send.tag, path: send.path ?? paths.home },
  }
}

const run = async (actor: SystemActor, sendId: string): Promise<void> => {
  const claimed = await withTenant(actor, (db) => claim(db, sendId))
  if (!claimed) return
  const answer = await sendPush(claimed.target, claimed.note)
  await withTenant(actor, async (db) => {
    if (answer.result === 'gone') await forget(db, claimed.deviceId)
    else if (answer.result === 'later')
      await db
        .updateTable('pushSends')
        .set({ claimedAt: null, reason: answer.reason.slice(0, 300) })
        .where('businessId', '=', db.businessId)
        .where('id', '=', sendId)
        .execute()
    else {
      if (answer.result !== 'refused') await noteSeen(db, claimed.deviceId)
      await finish(db, sendId, answer.result, answer.result === 'refused' ? answer.reason : '')
    }
  })
  if (answer.result === 'later') throw new Error(answer.reason)
}

/** Hands one note over to one device. */
export const sendPushWork: Task<typeof sendPushTask.payload> = task({
  ...sendPushTask,
  run: (actor, { sendId }) => run(actor, sendId),
  gaveUp: async (actor, { sendId }) => {
    await withTenant(actor, (db) => finish(db, sendId, 'refused', 'The push service could not be reached'))
  },
})
