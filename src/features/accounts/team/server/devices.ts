import { createHash, randomBytes } from 'node:crypto'
import { clock } from '../../../../platform/clock.ts'
import { asBusinessId, type BusinessId, type TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'

/** An invited phone or tablet, as its cookie names it. */
export type DeviceKey = { businessId: BusinessId; deviceId: string; secretHash: string }

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Reads the device cookie `business.device.secret`; null for none and for junk. */
export const parseDevice = (cookie: string | undefined): DeviceKey | null => {
  const [business = '', deviceId = '', secret = ''] = (cookie ?? '').split('.')
  if (!/^[0-9a-f-]{36}$/.test(deviceId) || secret.length < 40) return null
  try {
    return { businessId: asBusinessId(business), deviceId, secretHash: hash(secret) }
  } catch {
    return null
  }
}

const knownDevice = (db: TenantDb, key: DeviceKey) =>
  db
    .selectFrom('crewDevices')
    .select('id')
    .where('businessId', '=', db.businessId)
    .where('id', '=', key.deviceId)
    .where('secretHash', '=', key.secretHash)
    .executeTakeFirst()

/** People whose PIN works on this device; empty when the device is not known here (any more). */
export const peopleOfDevice = async (db: TenantDb, key: DeviceKey) => {
  if (!(await knownDevice(db, key))) return []
  return db
    .selectFrom('crewDevicePeople')
    .innerJoin('users', (join) =>
      join
        .onRef('users.businessId', '=', 'crewDevicePeople.businessId')
        .onRef('users.id', '=', 'crewDevicePeople.userId'),
    )
    .where('crewDevicePeople.businessId', '=', db.businessId)
    .where('crewDevicePeople.deviceId', '=', key.deviceId)
    .where('users.status', '=', 'active')
    .where('users.archivedAt', 'is', null)
    .select(['users.id', 'users.phone', 'users.pinHash'])
    .execute()
}

/**
 * Ties a person to the device in front of them: the one its cookie names when it belongs to this business (a tablet that several share), else a new one.
 * @returns the cookie of a new device, or null when the one it has stays
 */
export const tieDevice = async (
  db: TenantDb,
  userId: string,
  current: DeviceKey | null,
  userAgent: string,
): Promise<string | null> => {
  const now = clock.iso()
  const shared = current?.businessId === db.businessId ? await knownDevice(db, current) : undefined
  const deviceId = shared?.id ?? newId()
  const secret = randomBytes(32).toString('base64url')
  if (!shared)
    await db
      .insertInto('crewDevices')
      .values({
        businessId: db.businessId,
        id: deviceId,
        secretHash: hash(secret),
        userAgent: userAgent.slice(0, 300),
        createdAt: now,
      })
      .execute()
  await db
    .insertInto('crewDevicePeople')
    .values({ businessId: db.businessId, deviceId, userId, createdAt: now })
    .onConflict((c) => c.doNothing())
    .execute()
  return shared ? null : `${db.businessId}.${deviceId}.${secret}`
}

/** Makes every device forget a person. */
export const untieDevices = async (db: TenantDb, userId: string): Promise<void> => {
  await db.deleteFrom('crewDevicePeople').where('businessId', '=', db.businessId).where('userId', '=', userId).execute()
}
